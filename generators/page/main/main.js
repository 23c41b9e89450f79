// The page itself: it takes what is dropped, hands it to the worker, and shows what the core answers.

const declared = JSON.parse(byId("declared").textContent);

let worker;
let waiting = new Map();
let numbers = 0;
let dropped;
let taken;
let guessed;
let busy = false;

/** Asks the worker for something. */
function task(name, given) {
  numbers += 1;
  const number = numbers;
  return new Promise((done, broken) => {
    waiting.set(number, { done, broken });
    worker.postMessage({ number, task: name, given });
  });
}

/** Starts a worker with the core; one that was stopped is of no further use. */
async function begin() {
  const source = new Blob([byId("worker").textContent], { type: "text/javascript" });
  const place = URL.createObjectURL(source);
  worker = new Worker(place);
  URL.revokeObjectURL(place);
  waiting = new Map();
  worker.onmessage = ({ data: { number, done, trouble } }) => {
    const asked = waiting.get(number);
    waiting.delete(number);
    if (trouble === undefined) {
      asked?.done(done);
    } else {
      asked?.broken(new Error(trouble));
    }
  };
  worker.onerror = (event) => {
    const message = `the verifier cannot run in this browser (${event.message}); use a newer one`;
    waiting.forEach(({ broken }) => broken(new Error(message)));
    waiting = new Map();
  };
  return task("begin", { core: byId("core").textContent, declared });
}

/** Does something that may fail, and says so. */
async function attempt(what) {
  if (busy) {
    // An answer is about what was dropped before it, and never about what came in between.
    complain("One thing at a time: wait, or press Stop, and do it again.");
    return;
  }
  busy = true;
  complain();
  byId("main").setAttribute("aria-busy", "true");
  byId("stop").hidden = false;
  byId("verify").disabled = true;
  try {
    await what();
  } catch (error) {
    say("");
    complain(`No answer: ${error.message}.`);
  } finally {
    busy = false;
    byId("stop").hidden = true;
    byId("verify").disabled = false;
    byId("main").setAttribute("aria-busy", "false");
  }
}

function take(what) {
  return attempt(async () => {
    byId("result").hidden = true;
    byId("question").hidden = true;
    byId("taken").hidden = true;
    taken = undefined;
    const { files, folders } = await what();
    if (files.length === 0) {
      throw new Error("nothing was handed over that holds a file; choose files or a folder");
    }
    say(`Reading ${counted(files.length, "file", "files")}.`);
    dropped = { files, folders };
    taken = await task("take", dropped);
    showTaken();
    guessed = taken.guess;
    byId("question").hidden = false;
    byId("op").value = guessed?.op ?? declared.operations[0].name;
    fields();
    if (guessed === undefined) {
      say("Not recognised: choose what to ask about it, and press Verify.");
    } else if (guessed.unsure !== undefined) {
      say(`Taken for ${guessed.op}, but ${guessed.unsure}: look at the choice, and press Verify.`);
    } else if (isComplete(operation(), guessed)) {
      await verify();
    } else {
      say(`Taken for ${guessed.op}: fill in what is missing, and press Verify.`);
    }
  });
}

function showTaken() {
  const { files, links } = taken;
  const total = files.reduce((sum, { size }) => sum + size, 0);
  const first = files.slice(0, 12).map(({ path, size }) => element("li", {}, element("code", {}, path), ` ${bytesInWords(size)}`));
  const rest = files.length - first.length;
  const linked = links === 0 ? "" : ` and ${counted(links, "link", "links")}`;
  byId("taken").replaceChildren(
    element("h2", {}, `${counted(files.length, "file", "files")}${linked}, ${bytesInWords(total)}`),
    element("ul", { class: "files" }, ...first, rest > 0 ? element("li", {}, `and ${rest} more`) : undefined),
  );
  byId("taken").hidden = false;
}

const operation = () => declared.operations.find(({ name }) => name === byId("op").value);

/** The fields of the chosen operation; what was guessed stands in them if it is the one. */
function fields() {
  const chosen = guessed?.op === byId("op").value ? guessed : { args: {}, docs: {}, root: "" };
  layOut(operation(), taken, chosen);
}

async function verify() {
  const question = questionIn(operation());
  const narrow = declared.shapes.questions.find(({ op }) => op === question.op)?.narrow;
  say("Verifying.");
  showResult(await task("ask", { ...question, narrow }), declared, question);
}

async function stop() {
  worker.terminate();
  waiting.forEach(({ broken }) => broken(new Error("stopped; nothing was decided")));
  await begin();
  if (dropped !== undefined && taken !== undefined) {
    taken = await task("take", dropped);
  }
}

fillOperations(declared.operations);
byId("op").onchange = fields;
byId("question").onsubmit = (event) => {
  event.preventDefault();
  attempt(verify);
};
byId("stop").onclick = () => stop().catch((error) => complain(error.message));
for (const id of ["files", "folder"]) {
  byId(id).onchange = ({ target }) => {
    const files = filesOf(target.files);
    // The same files may be chosen again once they were changed.
    target.value = "";
    take(() => ({ files, folders: [] }));
  };
}
document.ondragover = (event) => {
  event.preventDefault();
  byId("drop").classList.add("over");
};
document.ondragleave = (event) => {
  if (event.relatedTarget === null) {
    byId("drop").classList.remove("over");
  }
};
document.ondrop = (event) => {
  event.preventDefault();
  byId("drop").classList.remove("over");
  const inside = filesIn(event.dataTransfer);
  take(() => inside);
};
begin().then(
  () => {
    byId("ready").textContent = "The verifier is ready.";
    byId("main").setAttribute("data-ready", "");
  },
  (error) => complain(`The verifier cannot start: ${error.message}.`),
);
