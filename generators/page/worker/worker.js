// What the page asks of its worker: to begin, to take files, and to put a question about them.

let shapes;
let operations;
let entries = new Map();

const tasks = {
  async begin({ core, declared }) {
    ({ shapes, operations } = declared);
    await compileCore(core);
  },

  async take({ files, folders }) {
    entries = new Map();
    entries = await taken(files, folders, MOST_BYTES);
    const listed = outlined(entries);
    const known = foldersOf(entries);
    return {
      files: listed.map(({ path, size }) => ({ path, size })),
      links: [...entries].filter(([, entry]) => entry.kind === "symlink").length,
      folders: [...known.keys()],
      guess: guess(shapes, listed, known),
    };
  },

  ask({ op, args, docs, root, narrow }) {
    const operation = operations.find(({ name }) => name === op);
    const begun = performance.now();
    const bytes = Object.fromEntries(Object.entries(docs).map(([name, path]) => [name, entries.get(path).bytes]));
    const question = { op, args, docs: bytes, files: operation.root ? below(root) : undefined };
    const answer = ask(question);
    const took = performance.now() - begun;
    const place = answer.is === "reject" && narrow !== undefined ? placeIn(question, narrow) : undefined;
    return { ...shownOf(operation, answer, place), op, took, whole: new Blob([answer.bytes], { type: "application/json" }) };
  },
};

/** What lies in a folder, counted from there; nothing for the empty folder. */
function below(root) {
  if (root === null) {
    return [];
  }
  const prefix = root === "" ? "" : `${root}/`;
  const inside = [...entries].filter(([path]) => path.startsWith(prefix));
  return inside.map(([path, entry]) => [path.slice(prefix.length), entry]);
}

function placeIn(question, name) {
  try {
    const held = acceptedOf(question, name);
    const before = held === 0 ? "the first one alone is refused already" : `the first ${held} alone are accepted`;
    return held === undefined ? undefined : { pointer: `/${held}`, place: `asked about fewer, ${before}` };
  } catch {
    // The answer stands without it.
    return undefined;
  }
}

async function perform({ number, task, given }) {
  try {
    self.postMessage({ number, done: await tasks[task](given) });
  } catch (error) {
    const message = error instanceof Trouble ? error.message : `${error}; ${LESS}`;
    self.postMessage({ number, trouble: message });
  }
}

// One after the other: a question is about what was taken before it.
let last = Promise.resolve();
self.onmessage = ({ data }) => {
  last = last.then(() => perform(data));
};
