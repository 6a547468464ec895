// Requests to the server. It keeps nothing of a game: each request carries the whole position.

const TYPE = { "Content-Type": "application/json" };

// A name for this tab: a new search of it ends the one before.
export const tab = Array.from(crypto.getRandomValues(new Uint8Array(8)), (byte) => byte.toString(16)).join("-");

export class ApiError extends Error {
  constructor(code, message) {
    super(message);
    this.code = code;
  }
}

async function send(name, body, options = {}) {
  let response;
  try {
    response = await fetch(`/api/${name}`, { method: "POST", headers: TYPE, body, ...options });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new ApiError("no-server", String(error.message));
  }
  if (!response.ok) {
    const { error } = await response.json().catch(() => ({ error: { code: "bug", message: response.statusText } }));
    throw new ApiError(error.code, error.message);
  }
  return response;
}

export async function ask(name, data, signal) {
  return (await send(name, JSON.stringify(data), { signal })).json();
}

// Sends a file, or a text without a name.
export async function load(bytes, name, request = "load") {
  const headers = { "Content-Type": "application/octet-stream" };
  return (await send(`${request}?name=${encodeURIComponent(name)}`, bytes, { headers })).json();
}

export async function save(data) {
  return (await send("save", JSON.stringify(data))).blob();
}

// Runs a search; `tell` gets every line, and the last one, the result, is returned.
export async function search(name, data, signal, tell = () => {}) {
  const response = await send(name, JSON.stringify({ ...data, tab }), { signal });
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  let last = null;
  for (;;) {
    let step;
    try {
      step = await reader.read();
    } catch (error) {
      if (error.name === "AbortError") throw error;
      throw new ApiError("no-server", String(error.message));
    }
    if (step.done) break;
    const lines = (rest + step.value).split("\n");
    rest = lines.pop();
    for (const line of lines) {
      last = JSON.parse(line);
      if (last.type === "error") throw new ApiError(last.code, last.message);
      if (!signal.aborted) tell(last);
    }
  }
  if (!last || last.type !== "result") throw new ApiError("no-server", "the answer ended early");
  return last;
}
