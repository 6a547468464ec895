// A game as a tree of variations. It knows nothing of the page: every change is an operation of plain values that
// can be undone, stored and done again.

export const other = (color) => (color === "black" ? "white" : "black");

const MOST_OPERATIONS = 500; // that can be undone

// A property of a node without a move that is a step of an opening, such as a swap: what is played next belongs to it.
export const STEP = "OPENINGACTION";

export const isStep = (node) => Boolean(node.properties && node.properties[STEP]);

// Fields of a node that files have and the tree keeps as they are.
const KEPT = ["move", "color", "comment", "labels", "properties"];

export class Tree {
  constructor() {
    this.nodes = new Map(); // id -> {id, parent, children, move, comment, labels, properties, color, next, value}
    this.lastId = 0;
    this.root = this.make(null, {});
    this.at = this.root;
  }

  make(parent, facts, id = (this.lastId += 1)) {
    const node = { ...facts, id, parent, children: [] };
    this.lastId = Math.max(this.lastId, id);
    this.nodes.set(id, node);
    return node;
  }

  // Ways through the tree

  // The nodes from the root to a node, both included.
  path(node = this.at) {
    const found = [];
    for (let one = node; one; one = one.parent) found.push(one);
    return found.reverse();
  }

  // The moves that lead to a node.
  moves(node = this.at) {
    return this.path(node).filter((one) => one.move).map((one) => one.move);
  }

  // The node that follows: where one was last, else the main one.
  next(node = this.at) {
    return node.children.find((child) => child.id === node.next) || node.children[0] || null;
  }

  // The nodes of the line one is on, from the root to its end.
  line() {
    const found = this.path();
    for (let node = this.next(); node; node = this.next(node)) found.push(node);
    return found;
  }

  isMain(node = this.at) {
    return this.path(node).every((one) => !one.parent || one.parent.children[0] === one);
  }

  goTo(node) {
    this.at = node;
    for (let one = node; one.parent; one = one.parent) one.parent.next = one.id;
  }

  // The node of moves from the root, null if the tree has no such line. Nodes without a move are passed through.
  find(moves) {
    let node = this.root;
    for (const move of moves) {
      node = this.child(node, move);
      if (!node) return null;
    }
    return node;
  }

  // With `isPlay` a step of an opening is not passed through: before it and after it are two places.
  child(node, move, isPlay = false) {
    for (const child of node.children) {
      if (child.move === move) return child;
      const below = child.move || (isPlay && isStep(child)) ? null : this.child(child, move, isPlay);
      if (below) return below;
    }
    return null;
  }

  // Changes. Each returns its operation, null if there is nothing to change.

  // Plays a move here: goes to the branch that has it, else makes one.
  play(move) {
    return this.enter(this.child(this.at, move, true), { move });
  }

  // Makes a step of an opening, which has no move: goes to the branch that has it, else makes one.
  step(text, labels = {}) {
    const found = this.at.children.find((child) => isStep(child) && child.properties[STEP][0] === text);
    return this.enter(found, { properties: { [STEP]: [text] }, ...(isEmpty(labels) ? {} : { labels }) });
  }

  // Goes to a node that was found, else to a new one with these facts.
  enter(found, facts) {
    if (found) {
      this.goTo(found);
      return null;
    }
    const operation = { kind: "add", parent: this.at.id, index: this.at.children.length, from: this.at.id };
    return this.perform({ ...operation, nodes: [{ id: this.lastId + 1, parent: null, ...facts }] });
  }

  // Takes a node out with all below it.
  remove(node = this.at) {
    if (!node.parent) return null;
    const { parent } = node;
    const operation = { kind: "remove", parent: parent.id, index: parent.children.indexOf(node), from: this.at.id };
    return this.perform({ ...operation, nodes: this.flat(node) });
  }

  // Moves the variation of a node one place up, or with `all` makes it the main line.
  promote(node = this.at, all = false) {
    const moves = [];
    for (const one of this.path(node).reverse()) {
      if (!one.parent) break;
      const index = one.parent.children.indexOf(one);
      if (!index) continue;
      moves.push({ parent: one.parent.id, index, to: all ? 0 : index - 1 });
      if (!all) break;
    }
    return moves.length ? this.perform({ kind: "order", moves, from: this.at.id }) : null;
  }

  setComment(text, node = this.at) {
    return this.set(node, "comment", text);
  }

  setLabels(labels, node = this.at) {
    return this.set(node, "labels", labels);
  }

  set(node, name, value) {
    const [old, changed] = [node[name] ?? null, isEmpty(value) ? null : value];
    if (JSON.stringify(old) === JSON.stringify(changed)) return null;
    return this.perform({ kind: "set", node: node.id, name, old, value: changed, from: this.at.id });
  }

  perform(operation) {
    this.apply(operation);
    return { ...operation, to: this.at.id };
  }

  apply(operation) {
    const { kind, parent, index, nodes } = operation;
    if (kind === "add") this.goTo(this.insert(nodes, parent, index));
    if (kind === "remove") this.cut(parent, index);
    if (kind === "order") for (const move of operation.moves) this.reorder(move.parent, move.index, move.to);
    if (kind === "set") this.assign(operation.node, operation.name, operation.value);
  }

  undo(operation) {
    const { kind, parent, index, nodes } = operation;
    if (kind === "add") this.cut(parent, index);
    if (kind === "remove") this.insert(nodes, parent, index);
    if (kind === "order") {
      for (const move of [...operation.moves].reverse()) this.reorder(move.parent, move.to, move.index);
    }
    if (kind === "set") this.assign(operation.node, operation.name, operation.old);
    this.goTo(this.nodes.get(operation.from));
  }

  redo(operation) {
    this.apply(operation);
    this.goTo(this.nodes.get(operation.to));
  }

  assign(id, name, value) {
    const node = this.nodes.get(id);
    if (value === null) delete node[name];
    else node[name] = value;
  }

  reorder(id, index, to) {
    const { children } = this.nodes.get(id);
    children.splice(to, 0, ...children.splice(index, 1));
  }

  insert(nodes, parentId, index) {
    const parent = this.nodes.get(parentId);
    const top = this.grow(nodes, parent);
    parent.children.splice(index, 0, top);
    return top;
  }

  // Nodes of a flat list, the first below `parent`, which does not get it as a child yet.
  grow(nodes, parent) {
    const made = new Map();
    let top = null;
    for (const { id, parent: above, ...facts } of nodes) {
      const node = this.make(made.get(above) || parent, facts, id);
      if (top) node.parent.children.push(node);
      else top = node;
      made.set(id, node);
    }
    return top;
  }

  cut(parentId, index) {
    const parent = this.nodes.get(parentId);
    const [node] = parent.children.splice(index, 1);
    const gone = new Set(this.below(node));
    for (const one of gone) this.nodes.delete(one.id);
    if (gone.has(this.at)) this.at = parent;
  }

  // Lists

  // A node and all below it, each before its children.
  below(node) {
    const [found, waiting] = [[], [node]];
    while (waiting.length) {
      const one = waiting.pop();
      found.push(one);
      waiting.push(...[...one.children].reverse());
    }
    return found;
  }

  // The same as plain values, each with the id of its parent; that of the first is null.
  flat(node = this.root) {
    return this.below(node).map((one) => {
      const { children, parent, ...facts } = one;
      return { ...facts, parent: one === node ? null : parent.id };
    });
  }

  static from(nodes, at) {
    const tree = new Tree();
    tree.nodes.clear();
    tree.lastId = 0;
    tree.root = tree.grow(nodes, null);
    tree.at = tree.nodes.get(at) || tree.root;
    return tree;
  }

  // The nodes as the server has them: a parent is a place in the list.
  toFile() {
    const all = this.below(this.root);
    const places = new Map(all.map((node, i) => [node, i]));
    return all.map((node) => {
      const facts = Object.fromEntries(KEPT.filter((name) => node[name]).map((name) => [name, node[name]]));
      return { ...facts, parent: node.parent ? places.get(node.parent) : null };
    });
  }

  static fromFile(nodes) {
    return Tree.from(nodes.map((node, i) => ({ ...node, id: i + 1, parent: i ? node.parent + 1 : null })));
  }

  static fromMoves(moves) {
    const tree = new Tree();
    for (const move of moves) tree.play(move);
    return tree;
  }
}

function isEmpty(value) {
  return !value || (typeof value === "object" && !Object.keys(value).length);
}

// What was done and can be undone; entries are plain values.
export class History {
  constructor({ past = [], future = [] } = {}) {
    Object.assign(this, { past, future });
  }

  add(entry) {
    this.past.push(entry);
    this.past.splice(0, this.past.length - MOST_OPERATIONS);
    this.future = [];
  }

  // Moves the last entry to the other side and returns it.
  back() {
    const entry = this.past.pop();
    if (entry) this.future.push(entry);
    return entry;
  }

  forth() {
    const entry = this.future.pop();
    if (entry) this.past.push(entry);
    return entry;
  }
}
