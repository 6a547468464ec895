"""The server of `renju board`: what it answers, and whom it refuses."""

from __future__ import annotations

import asyncio
import json
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from pathlib import Path
from typing import get_args

import pytest

import renju
from renju import Game, Limit, io, puzzles, web
from renju._request import Fields, Object
from renju.defence import DefenceKind
from renju.openings.rules import ActionKind
from renju.puzzles.model import PUZZLE_KINDS
from renju.puzzles.themes import THEMES
from renju.reviewing.source import RESULTS
from renju.web import app as web_app
from renju.web import fields as web_fields
from renju.web import searches as web_searches
from renju.web import server as web_server
from renju.web.report_table import COLUMNS
from renju.web.told import WINS
from support.positions import DOUBLE_THREE, PLAY_ON
from support.processes import RENJU
from support.waiting import PATIENCE_S, wait_until
from support.web_site import Site, running_site
from support.web_site import site as site

STATIC = Path(web_server.__file__).parent / "static"
REQUESTS = (
    *("position", "explain", "book", "play", "analyse", "solve", "review", "stop", "load", "save"),
    *("puzzles", "load-puzzles", "attempt", "twincool", "advise"),
)
PAGES = {"/": "main.js", "/puzzles": "trainer.js", "/twincool": "twincool.js"}
QUIET = "h8 i9 i7 g9"


# The page


@pytest.mark.parametrize("path", PAGES)
def test_every_file_of_a_page_is_served(site: Site, path: str) -> None:
    page = site.get(path)
    assert (page.status, page.headers["content-type"]) == (200, "text/html; charset=utf-8")
    text = page.body.decode()
    assert "{{" not in text
    linked = set(re.findall(r'(?:src|href)="(/[^"]*)"', text))
    assert {f"/static/{PAGES[path]}", "/static/theme.css", "/static/page.css"} <= linked
    assert set(PAGES) - {path} <= linked  # the ways to the other pages
    for name in (linked - set(PAGES)) | {f"/static/{path.name}" for path in STATIC.glob("*.js")}:
        answer = site.get(name)
        assert answer.status == 200
        assert answer.headers["content-type"].startswith(("text/javascript", "text/css", "image/svg+xml"))


@pytest.mark.parametrize("path", PAGES)
def test_nothing_is_inline_and_nothing_comes_from_elsewhere(site: Site, path: str) -> None:
    page = site.get(path).body.decode()
    assert re.findall(r"<script(?![^>]*\bsrc=)[^>]*>", page) == [
        '<script type="application/json" id="settings">'
    ]
    assert not re.search(r"<style|\sstyle=|\son\w+=", page)
    for file in STATIC.iterdir():
        text = file.read_text("utf-8")
        assert not re.search(r"(https?:)?//[a-z]", text.replace("http://www.w3.org/2000/svg", "")), file


def test_headers_of_all_answers(site: Site) -> None:
    for answer in (
        site.get("/"),
        site.get("/nothing"),
        site.get("/static/main.js"),
        site.ask("position", {}),
        site.ask("position", {"moves": "z9"}),
        site.ask("play", {"moves": QUIET, "nodes": 10}),
        site.get("/", Host="evil.example"),
    ):
        policy = answer.headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "unsafe" not in policy
        assert "frame-ancestors 'none'" in policy
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert answer.headers["referrer-policy"] == "no-referrer"
        assert not [key for key in answer.headers if key.startswith("access-control")]
        assert "server" not in answer.headers


@pytest.mark.parametrize("path", ["/x", "/static/", "/static/x.js", "/static/texts.json", "/api", "/api/x"])
def test_what_is_not_there(site: Site, path: str) -> None:
    answer = site.get(path)
    assert (answer.status, answer.error) == (404, "not-found")


@pytest.mark.parametrize("path", ["/static/../app.py", "/static/..%2fapp.py", "/static/%2fetc%2fpasswd"])
def test_no_path_leads_out(site: Site, path: str) -> None:
    assert site.get(path).status == 404


def test_api_is_asked_by_post(site: Site) -> None:
    assert site.get("/api/position").status == 405
    preflight = site.request("OPTIONS", "/api/position", Origin=site.address[:-1])
    assert preflight.status == 405


def test_the_start_is_told_to_the_page() -> None:
    game = Game.from_moves("h8 i9", {"black": "</script><b>{{board}}Ann"})
    with running_site(level="easy", game=game) as site:
        page = site.get("/").body.decode()
    settings = json.loads(re.search(r'id="settings">(.*?)</script>', page, re.DOTALL)[1])
    assert (settings["level"], settings["levels"]) == ("easy", list(renju.engine.LEVELS))
    assert settings["game"]["moves"] == ["H8", "I9"]
    assert settings["game"]["headers"] == {"black": "</script><b>{{board}}Ann"}


def test_half_a_character_is_no_obstacle() -> None:
    with running_site(game=Game.from_moves("h8", {"black": "Ann\ud800"})) as site:
        assert '"Ann?"' in site.get("/").body.decode()


def test_the_level_has_to_be_one() -> None:
    pytest.importorskip("starlette")
    with pytest.raises(ValueError, match="best"):
        web.create_app(hosts=["localhost:1"], level="best")
    with pytest.raises(TypeError, match="hosts"):
        web.create_app(hosts="localhost:1")


# Who may ask


@pytest.mark.parametrize("host", ["evil.example", "evil.example:{port}", "localhost", "127.0.0.1:1", ""])
def test_other_names_are_refused(site: Site, host: str) -> None:
    for method, path in (("GET", "/"), ("GET", "/static/main.js"), ("POST", "/api/position")):
        answer = site.request(method, path, b"{}", Host=host.format(port=site.port))
        assert (answer.status, answer.error) == (403, "host")


@pytest.mark.parametrize("host", ["127.0.0.1:{port}", "localhost:{port}", "LOCALHOST:{port}", "[::1]:{port}"])
def test_own_names_are_answered(site: Site, host: str) -> None:
    own = host.format(port=site.port)
    assert site.get("/", Host=own).status == 200
    assert site.ask("position", {}, Host=own, Origin=f"http://{own.lower()}").status == 200


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "http://evil.example"},
        {"Origin": "null"},
        {"Origin": "http://localhost:{port}"},  # another origin than that of the request
        {"Origin": "https://127.0.0.1:{port}"},
        {"Origin": "http://127.0.0.1:1"},
        {"Sec_Fetch_Site": "cross-site"},
        {"Sec_Fetch_Site": "same-site"},
    ],
    ids=str,
)
@pytest.mark.parametrize("name", REQUESTS)
def test_other_pages_are_refused(site: Site, name: str, headers: dict[str, str]) -> None:
    own = {key: value.format(port=site.port) for key, value in headers.items()}
    answer = site.ask(name, {}, **own)
    assert (answer.status, answer.error) == (403, "origin")


def test_own_page_is_answered(site: Site) -> None:
    answer = site.ask("position", {}, Origin=site.address[:-1], Sec_Fetch_Site="same-origin")
    assert answer.status == 200


def test_hosts_of_a_network() -> None:
    assert "192.168.1.5:80" in web_server.hosts_of("192.168.1.5", 80)
    assert "192.168.1.5" in web_server.hosts_of("192.168.1.5", 80)
    # All networks are no name: it has to be told by which one the page is called.
    assert web_server.hosts_of("0.0.0.0", 9) == {"localhost:9", "127.0.0.1:9", "[::1]:9"}
    assert "board.example:9" in web_server.hosts_of("0.0.0.0", 9, ["board.example"])
    hosts = ("127.0.0.1", "::1", "localhost", "0.0.0.0", "::", "10.0.0.1")
    assert [web_server.is_loopback(host) for host in hosts] == [True] * 3 + [False] * 3


# Bad requests


@pytest.mark.parametrize(
    ("name", "body", "code"),
    [
        ("position", b"", "request"),
        ("position", b"[]", "request"),
        ("position", b"\xff", "request"),
        ("position", b"[" * 100_000, "request"),
        ("position", b'{"moves": 5}', "request"),
        ("position", b'{"moves": [5]}', "request"),
        ("position", b'{"moves": "h8 z9"}', "notation"),
        ("position", b'{"moves": "h8 h8"}', "illegal-move"),
        ("position", json.dumps({"moves": "pass " * 2000}).encode(), "request"),
        ("position", json.dumps({"moves": PLAY_ON}).encode(), "illegal-move"),
        ("position", b'{"setup": []}', "request"),
        ("position", b'{"setup": {"black": "h8"}}', "request"),
        ("position", b'{"setup": {"black": ["h8"], "white": ["h8"]}}', "position"),
        ("position", b'{"setup": {"turn": "red"}}', "request"),
        ("position", json.dumps({"setup": {"black": ["h8"] * 300}}).encode(), "request"),
        ("explain", b'{"moves": "h8", "point": "h8"}', "illegal-move"),
        ("explain", b'{"moves": "h8", "point": "pass"}', "notation"),
        ("explain", b'{"moves": "h8"}', "notation"),
        ("play", b'{"level": "god"}', "request"),
        ("play", b'{"time": "long"}', "request"),
        ("play", b'{"time": NaN}', "request"),
        ("play", b'{"time": true}', "request"),
        ("play", b'{"time": 1e999}', "request"),
        ("play", b'{"seed": 1.5}', "request"),
        ("play", json.dumps({"moves": DOUBLE_THREE + " h8"}).encode(), "engine"),
        ("analyse", b'{"multipv": "5"}', "request"),
        ("analyse", b'{"tab": 5}', "request"),
        ("solve", b'{"kind": "magic"}', "request"),
        ("solve", b'{"color": "red"}', "request"),
        ("solve", json.dumps({"moves": DOUBLE_THREE + " h8"}).encode(), "engine"),
        ("save", b'{"format": "exe"}', "request"),
        ("save", b'{"format": "rif"}', "request"),
        ("save", b'{"headers": {"black": 5}}', "request"),
    ],
)  # fmt: skip
def test_bad_requests_say_what_is_wrong(site: Site, name: str, body: bytes, code: str) -> None:
    answer = site.request("POST", f"/api/{name}", body, Content_Type="application/json")
    assert (answer.status, answer.error) == (400, code)
    message = answer.data["error"]["message"]
    assert message
    assert len(message) < 300
    assert "Traceback" not in message


def test_a_form_is_no_request(site: Site) -> None:
    answer = site.ask("position", {}, Content_Type="text/plain")
    assert answer.status == 415


@pytest.mark.parametrize(("path", "size"), [("/api/position", 300_000), ("/api/load?name=x.sgf", 2_200_000)])
def test_large_bodies_are_refused(site: Site, path: str, size: int) -> None:
    answer = site.request("POST", path, b" " * size, Content_Type="application/json")
    assert (answer.status, answer.error) == (413, "too-large")


def test_a_body_that_does_not_come(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    headers = {"Content-Type": "application/json", "Content-Length": "100"}
    monkeypatch.setattr(web_app, "_BODY_SECONDS", 0.2)
    with closing(site.connect("POST", "/api/position", b"{", headers)) as slow:
        assert slow.getresponse().status == 408


def test_who_leaves_while_sending_is_no_bug() -> None:
    requests = pytest.importorskip("starlette.requests", reason="starlette is not installed")

    async def leave() -> dict[str, str]:
        return {"type": "http.disconnect"}

    request = requests.Request({"type": "http", "headers": []}, leave)
    with pytest.raises(web_fields.RefusedError, match="ended early"):
        asyncio.run(web_app._body(request, 10))


def test_limits_are_moved_into_their_range() -> None:
    for kind, (least, most) in web_fields.TIMES.items():
        assert web_fields.limit_of(Fields(Object({"time": 1e9})), kind, None) == Limit(time=most)
        assert web_fields.limit_of(Fields(Object({"time": 10**400})), kind, None) == Limit(time=most)
        assert web_fields.limit_of(Fields(Object({"time": -1})), kind, None) == Limit(time=least)
        # Even a number of nodes ends some day.
        assert web_fields.limit_of(Fields(Object({"nodes": 10**30})), kind, None).time == most
    assert web_fields.limit_of(Fields(Object({})), "play", None) == Limit()
    assert web_fields.count_of(Fields(Object({"multipv": 10**6})), "multipv", 1, 10, 5) == 10


def test_a_bug_is_told_without_a_trace(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(self: object, emit: object) -> None:
        raise ZeroDivisionError("secret")

    monkeypatch.setattr(web_searches.ProofSearch, "run", fail)
    answer = site.ask("solve", {"moves": QUIET})
    assert (answer.status, answer.error) == (500, "bug")
    assert b"secret" not in answer.body
    assert "content-security-policy" in answer.headers
    wait_until(lambda: site.searches.count == 0)


# Texts


def texts() -> dict[str, dict[str, str]]:
    return json.loads((STATIC / "texts.json").read_text("utf-8"))


def test_both_languages_say_the_same() -> None:
    for key, row in texts().items():
        assert set(row) == {"en", "ja"}, key
        assert all(row.values()), key
        english, japanese = (set(re.findall(r"\{(\w+)\}", row[language])) for language in ("en", "ja"))
        # An opening has three names, of which each language has its own.
        assert english == japanese or key == "opening", key


def texts_of_reports() -> set[str]:
    """The keys that Python asks for: reports, and sheets of puzzles."""
    package = STATIC.parent.parent
    files = [
        *(package / "web").glob("*.py"),
        package / "reviewing" / "model.py",
        *(package / "puzzles").glob("*.py"),
    ]
    source = re.sub(r"(?<=\w)\[[^][]*\]", "", "\n".join(path.read_text("utf-8") for path in files))
    keys = {
        key
        for call in re.findall(r"\bwords\(\s*([^,)]*)", source)
        for key in re.findall(r"[\"']([\w-]+)[\"']", call)
    }
    keys |= {f"result-{result}" for result in RESULTS}
    keys |= {f"task-{kind}" for kind in PUZZLE_KINDS} | {f"theme-{theme}" for theme in THEMES}
    return keys | {f"head-{name}" for name in COLUMNS}


def test_every_text_exists_and_is_used() -> None:
    sources = [path.read_text("utf-8") for path in STATIC.glob("*.*") if path.suffix in (".js", ".html")]
    page = "\n".join(sources)
    used = set(re.findall(r'data-t(?:-label)?="([\w-]+)"', page))
    for call in re.findall(r"\bt\(([^()]*)", page):
        used |= set(re.findall(r'"([\w-]+)"', call.partition("{")[0]))
    used -= {"black"}
    # Those whose key comes from the server or a list.
    used |= {f"level-{name}" for name in renju.engine.LEVELS}
    reasons = ("five", "overline", "forbidden", "board-full", "two-passes", "move-limit", "by the record")
    used |= {f"reason-{name}" for name in reasons}
    used |= {f"limit-{name}" for name in renju.proof.LIMITS}
    used |= {f"quality-{name}" for name in ("best", "good", "inaccuracy", "mistake", "blunder")}
    used |= {f"kind-{name}" for name in (*renju.limits.KINDS, "double-mise", "forbidden-trap")}
    used |= {"missed", "allowed"}
    used |= {f"{name}-{kind}" for kind in puzzles.PUZZLE_KINDS for name in ("task", "kind")}
    used |= {f"idle-{kind}" for kind in renju.limits.KINDS}
    used |= {f"theme-{theme}" for theme in puzzles.THEMES}
    used |= {"hintTheme", "hintArea", "hintMove", "solved", "solutionShown"}
    used |= {f"refutation-{name}" for name in renju.refutation.KINDS}
    used |= {f"counter-{name}" for name in ("five", "four", "three")}
    used |= {f"error-{code}" for code in ("busy", "bug", "format", "notation", "illegal-move", "position")}
    kinds = get_args(ActionKind)
    used |= {f"rule-{name}" for name in kinds} | {f"rule-short-{name}" for name in kinds}
    used |= {"error-offline", "mise-vcf", "tabShare", *(f"line-{name}" for name in WINS)}
    used |= {f"defence-{name}" for name in (*get_args(DefenceKind), "nori-te")}
    used |= texts_of_reports()
    used |= {"black", "white", "empty", "candidate", "double-three", "double-four", "overline", "vcf", "vct"}
    assert used - set(texts()) == set()
    assert set(texts()) - used == set()


# The command


def start(*arguments: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [*RENJU, "board", "--no-open", "--port", "0", *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        encoding="utf-8",
    )


def address_of(process: subprocess.Popen[str]) -> str:
    assert process.stdout is not None
    line = process.stdout.readline()
    assert line, process.communicate()
    return re.search(r"http://\S+", line)[0]


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGINT for one process")
def test_the_command_serves_until_ctrl_c(tmp_path: Path) -> None:
    path = tmp_path / "game.sgf"
    io.dump(Game.from_moves("h8 i9 g7"), path)
    process = start(str(path), "--level", "medium")
    try:
        port = int(re.search(r":(\d+)/", address_of(process))[1])
        site = Site(port, None)
        assert '"moves": ["H8", "I9", "G7"]' in site.get("/").body.decode()
        with site.stream("analyse", {"moves": QUIET, "time": 500}) as response:
            response.readline()
            process.send_signal(signal.SIGINT)
            last = json.loads(response.read().splitlines()[-1])
        assert last["interrupted"] is True
        _, errors = process.communicate(timeout=PATIENCE_S)
        assert (process.returncode, errors) == (130, "renju: interrupted\n")
    finally:
        process.kill()
        process.communicate()


def test_the_command_warns_of_a_network() -> None:
    process = start("--host", "0.0.0.0", "--name", "board.example")
    try:
        port = int(re.search(r":(\d+)/", address_of(process))[1])
        site = Site(port, None)
        assert site.get("/", Host=f"board.example:{port}").status == 200
        assert site.get("/", Host=f"other.example:{port}").status == 403
    finally:
        process.kill()
    assert "warning: 0.0.0.0 is open to other machines" in process.communicate()[1]


def test_a_port_that_is_taken() -> None:
    with web_server.open_socket("127.0.0.1", 0) as listener:
        port = listener.getsockname()[1]
        with pytest.raises(OSError, match=f"port {port} is taken"):
            web_server.open_socket("127.0.0.1", port)


def test_a_missing_extra_is_named() -> None:
    program = (
        "import sys; sys.modules['starlette'] = None\n"
        "from renju import web\n"
        "try: web.create_app(hosts=['localhost:1'])\n"
        "except Exception as error: print(type(error).__name__, error)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=PATIENCE_S)
    assert "RenjuError" in done.stdout, done.stderr
    assert "pip install 'renju-engine[web]'" in done.stdout


def test_the_page_is_not_imported_with_the_package() -> None:
    program = "import renju.cli, sys; print({'starlette', 'uvicorn'} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=PATIENCE_S)
    assert done.stdout == "set()\n", done.stderr


# Those who keep others out

HALF_SENT = {
    "nothing": b"",
    "a line": b"GET / HTTP/1.1\r\n",
    "headers": b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX: ",
    "a body": b"POST /api/position HTTP/1.1\r\nHost: 127.0.0.1:PORT\r\nContent-Type: application/json\r\n"
    b"Content-Length: 100\r\n\r\n{",
}


@contextmanager
def crowd(site: Site, text: bytes, count: int = 120) -> Iterator[list[socket.socket]]:
    """So many connections that have sent this and nothing more."""
    with ExitStack() as stack:
        found = []
        for _ in range(count):
            found.append(stack.enter_context(socket.create_connection(("127.0.0.1", site.port), timeout=60)))
            found[-1].sendall(text.replace(b"PORT", str(site.port).encode()))
        yield found


@pytest.mark.parametrize("text", HALF_SENT.values(), ids=HALF_SENT)
def test_half_a_request_keeps_nobody_out(site: Site, text: bytes) -> None:
    with crowd(site, text):
        for _ in range(3):
            assert site.get("/").status == 200
            assert site.ask("position", {"moves": "h8"}).status == 200


def test_who_is_answered_stays_in_a_crowd(site: Site) -> None:
    with site.stream("analyse", {"moves": QUIET, "time": 60, "tab": "crowd"}) as response:
        first = json.loads(response.readline())
        with crowd(site, HALF_SENT["headers"]):
            assert site.get("/").status == 200
            assert site.ask("stop", {"tab": "crowd"}).data == {"stopped": 1}
            last = [json.loads(line) for line in response.read().splitlines()][-1]
    assert (first["type"], last["type"]) == ("progress", "result")


@pytest.mark.parametrize("name", ["nothing", "headers"])
def test_headers_that_do_not_come(site: Site, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("renju.web.connections.HEADERS_S", 0.05)
    with crowd(site, HALF_SENT[name], 3) as sockets:
        for one in sockets:
            with suppress(ConnectionResetError):
                assert one.recv(1) == b""


def test_the_second_request_of_a_connection_has_a_time_limit_too(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    with crowd(site, f"GET /nothing HTTP/1.1\r\nHost: 127.0.0.1:{site.port}\r\n\r\n".encode(), 1) as (one,):
        assert b"404" in one.recv(100)
        monkeypatch.setattr("renju.web.connections.HEADERS_S", 0.05)
        with suppress(ConnectionError):
            one.sendall(b"GET ")
            while one.recv(1000):
                pass


def test_an_answer_that_nobody_reads(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("renju.web.connections.UNREAD_S", 0.05)
    ask = f"GET / HTTP/1.1\r\nHost: 127.0.0.1:{site.port}\r\n\r\n".encode()
    with socket.socket() as one:
        one.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        one.connect(("127.0.0.1", site.port))
        one.settimeout(0.2)
        # Until the server hangs up, since its answers have no place to go.
        with pytest.raises(ConnectionError):  # noqa: PT012
            for _ in range(100_000):
                with suppress(TimeoutError):
                    one.sendall(ask * 100)
    assert site.get("/").status == 200
