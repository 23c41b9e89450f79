// The answer on the page: its word, its codes, and each finding at its place.

let saved;

/** Shows an answer to a question; `declared` says what laws and codes mean. */
function showResult(shown, declared, question) {
  const place = byId("result");
  const findings = shown.findings.map((finding) => findingRow(finding, declared));
  const count = shown.findings.length + shown.more;
  place.replaceChildren(
    element(
      "div",
      { class: `verdict ${shown.tone}` },
      element("h2", { id: "word" }, shown.word),
      element("p", {}, shown.op, element("span", { class: "soft" }, `, ${inWords(shown.took)}`)),
      element("p", { id: "about" }, ...aboutWhat(question)),
      shown.codes.length === 0 ? undefined : element("p", { id: "codes" }, "Codes: ", ...listed(shown.codes)),
      element("p", {}, saveLink(shown)),
    ),
    ...(count === 0 ? [] : [element("h3", {}, counted(count, "finding", "findings")), element("ol", { class: "findings", id: "findings" }, ...findings)]),
    ...(shown.more === 0 ? [] : [element("p", { class: "soft" }, `${counted(shown.more, "finding is", "findings are")} not shown; save the answer to see all.`)]),
    ...outputsOf(shown),
  );
  place.hidden = false;
  tell(`${shown.word}. ${count === 0 ? "No finding." : `${counted(count, "finding", "findings")}.`}`);
}

const inWords = (milliseconds) => (milliseconds < 1000 ? `${Math.ceil(milliseconds)} ms` : `${(milliseconds / 1000).toFixed(1)} s`);

function listed(codes) {
  return codes.flatMap((code, index) => [index === 0 ? "" : ", ", element("code", {}, code)]).filter((part) => part !== "");
}

/** What was judged: documents by their name in the question, and the folder. */
function aboutWhat({ docs, root }) {
  const folder = root === "" || root === null || root === undefined ? [] : [["folder", root]];
  return [...Object.entries(docs), ...folder].flatMap(([name, path], index) => [index === 0 ? "" : ", ", `${name} `, element("code", {}, path)]).filter((part) => part !== "");
}

function saveLink({ whole }) {
  URL.revokeObjectURL(saved);
  saved = URL.createObjectURL(whole);
  return element("a", { href: saved, download: "answer.json" }, "Save the answer");
}

function findingRow({ law, code, title, severity, file, pointer, message, place, class: kind, blame }, declared) {
  const stated = declared.laws[law];
  const said = message || stated?.statement || declared.codes[code] || "";
  const row = (name, value) =>
    value === undefined || value === null || value === "" ? [] : [element("dt", {}, name), element("dd", {}, value)];
  const code_ = (text) => (text === undefined || text === null ? undefined : element("code", {}, text === "" ? "the whole document" : text));
  return element(
    "li",
    { class: severity, "data-law": law ?? undefined, "data-code": code ?? undefined },
    element("p", { class: "title" }, element("span", { class: "state" }, severity), ` ${stated?.title ?? title ?? law ?? code ?? ""}`),
    said === "" ? undefined : element("p", {}, said),
    element(
      "dl",
      { class: "rows" },
      ...row("Law", law && element("code", {}, law)),
      ...row("Stated in", message ? undefined : stated?.spec),
      ...row("Code", code_(code ?? undefined)),
      ...row("File", code_(file)),
      ...row("Pointer", code_(pointer)),
      ...row("Where", place),
      ...row("Class", kind),
      ...row("Blame", blame?.join(", ")),
    ),
  );
}

/** The answer's own word and its outputs: short ones in a list, the others each to be opened. */
function outputsOf({ is, outputs }) {
  const isShort = ({ text }) => !text.includes("\n") && text.length < 120;
  const rows = [{ name: "answer", text: is }, ...outputs.filter(isShort)];
  const long = outputs.filter((output) => !isShort(output)).map(({ name, text, cut }) =>
    element(
      "details",
      { class: "output" },
      element("summary", {}, name),
      element("pre", { tabindex: "0", "aria-label": name }, element("code", {}, text)),
      cut ? element("p", { class: "soft" }, "Cut off here; save the answer for all of it.") : undefined,
    ),
  );
  const list = rows.flatMap(({ name, text }) => [element("dt", {}, name), element("dd", {}, element("code", {}, text))]);
  return [element("h3", {}, "Outputs"), element("dl", { class: "rows", id: "outputs" }, ...list), ...long];
}
