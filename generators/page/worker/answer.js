// From an answer to what the page shows of it: the core's own words, its findings, and its outputs as they are.

/** The most findings that are shown; the whole answer can be saved. */
const MOST_FINDINGS = 500;

/** The most characters of an output that are shown. */
const MOST_SHOWN = 40_000;

/** What an answer shows. `operation` is its declaration. */
function shownOf(operation, { is, codes, out }, place) {
  const outputs = out === undefined ? new Map() : members(new TextEncoder().encode(out), 0);
  const plain = (name) => (outputs.has(name) ? parsed(outputs.get(name)) : undefined);
  const documents = [...operation.accept, ...operation.reject].filter(({ kind }) => kind === "doc").map(({ name }) => name);
  const report = documents.includes("report") && outputs.has("report") ? parsed(plain("report")) : undefined;
  const found = [...(plain("findings") ?? []), ...(report?.mismatches ?? []).map(ofMismatch)];
  const named = new Set(found.map(({ law }) => law));
  const bare = codes.filter((code) => !named.has(code)).map((code) => ofCode(code, place));
  const findings = [...found, ...bare, ...(plain("advice") ?? []).map(ofAdvice)];
  return {
    is,
    codes,
    ...wordFor(operation, is, { verdict: plain("verdict"), report, exit: plain("exit_code"), found }),
    findings: findings.slice(0, MOST_FINDINGS),
    more: Math.max(0, findings.length - MOST_FINDINGS),
    outputs: [...outputs].filter(([name]) => name !== "findings" && name !== "advice").map(([name, text]) => {
      const whole = documents.includes(name) ? parsed(text) : text;
      return { name, text: laidOut(whole.slice(0, MOST_SHOWN)), cut: whole.length > MOST_SHOWN };
    }),
  };
}

/** Numbers that a double does not hold stay the text of their token, where the browser tells it. */
function parsed(text) {
  return JSON.parse(text, (_, value, context) =>
    typeof value === "number" && context?.source !== undefined && String(value) !== context.source ? context.source : value,
  );
}

/** What stands over an answer, and whether it is good news. An acceptance is, where the operation could have named a broken law. */
function wordFor(operation, is, { verdict, report, exit, found }) {
  const said = verdict ?? report?.status;
  if (is !== "accept") {
    return { word: "Rejected", tone: "bad" };
  }
  const errors = found.some(({ severity }) => severity !== "warning");
  if (said !== undefined) {
    return { word: said, tone: errors || (exit ?? report?.exit_code ?? 0) !== 0 ? "bad" : "good" };
  }
  if (errors) {
    return { word: "Accepted, with findings", tone: "bad" };
  }
  return operation.judges ? { word: "Accepted", tone: "good" } : { word: "Answered", tone: "plain" };
}

/** A mismatch of a replay report as a finding. */
function ofMismatch({ path, reason_code, diagnostic, ...where }) {
  const digest = (value) => (value === null ? "nothing" : value);
  const { turn_id, ordinal, surface, stage_name, expected_digest, actual_digest } = where;
  const parts = expected_digest === actual_digest ? "" : `expected ${digest(expected_digest)}, got ${digest(actual_digest)}`;
  return {
    law: diagnostic?.law,
    code: reason_code,
    title: `Mismatch of ${surface}`,
    severity: "error",
    pointer: path,
    message: diagnostic?.message ?? parts,
    place: [diagnostic?.side && `bundle ${diagnostic.side}`, turn_id, ordinal !== undefined && `ordinal ${ordinal}`, surface, stage_name]
      .filter((word) => word)
      .join(", "),
  };
}

/** A code that no finding locates: a law's slug, or one of those that say why nothing could be judged. */
function ofCode(code, place) {
  const about = code.includes("/") ? { law: code } : { code };
  return { ...about, severity: "error", ...place };
}

const ofAdvice = ({ law, text, pointer }) => ({ law, message: text, pointer, severity: "advice" });

/** A JSON text in lines. Tokens stay as they are; what is no whole text is laid out as far as it goes. */
function laidOut(text) {
  let [lines, depth, quoted] = ["", 0, false];
  const line = () => `\n${"  ".repeat(Math.min(depth, 40))}`;
  for (let at = 0; at < text.length; at += 1) {
    const letter = text[at];
    if (quoted) {
      lines += letter === "\\" ? letter + (text[(at += 1)] ?? "") : letter;
      quoted = letter !== '"';
    } else if ("{[".includes(letter)) {
      const empty = "}]".includes(text[at + 1] ?? " ");
      depth += empty ? 0 : 1;
      lines += empty ? letter + text[(at += 1)] : letter + line();
    } else if ("}]".includes(letter)) {
      depth -= 1;
      lines += line() + letter;
    } else {
      quoted = letter === '"';
      lines += letter === "," ? letter + line() : letter === ":" ? ": " : letter;
    }
  }
  return lines;
}
