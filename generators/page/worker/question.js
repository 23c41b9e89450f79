// From a question to a frame, and from the core's answer to what is shown. Nothing is decided here.

/** The frame of a question in parts: a line, and behind it the bytes that it points to. `args` are JSON texts. */
function frameOf({ op, args, docs, files }) {
  const parts = [];
  let at = 0;
  const content = (bytes) => {
    parts.push(bytes);
    at += bytes.length;
    return { at: at - bytes.length, len: bytes.length };
  };
  const documents = Object.fromEntries(Object.entries(docs).map(([name, bytes]) => [name, content(bytes)]));
  const tree = files && Object.fromEntries(files.map(([path, entry]) => [path, entry.bytes ? content(entry.bytes) : entry]));
  // The frame ends its line at a line feed; within a JSON text one is a blank.
  const given = Object.entries(args).map(([name, text]) => `${JSON.stringify(name)}:${text.replaceAll("\n", " ")}`);
  const rest = JSON.stringify({ in: documents, ...(files === undefined ? {} : { files: tree }) });
  const line = `{"op":${JSON.stringify(op)},"args":{${given.join(",")}},${rest.slice(1)}\n`;
  return [new TextEncoder().encode(line), ...parts];
}

/** Asks the core. What is no judgement is thrown, with what to do. */
function ask(question) {
  const bytes = answered(frameOf(question));
  const said = members(bytes, 0);
  const word = (name) => (said.has(name) ? JSON.parse(said.get(name)) : undefined);
  switch (word("t")) {
    case "answer":
      return { is: word("is"), codes: word("codes") ?? [], out: said.get("out"), bytes };
    case "error":
      throw new Trouble(`${word("message")}${word("kind") === "size" ? "" : "; choose another question, or correct it"}`);
    case "unsupported":
      throw new Trouble(`the core does not answer ${word("feature")}; emit the page anew`);
    default:
      throw new Trouble(`the verifier broke (${word("kind")}: ${word("message")}); this is a fault of it: report it`);
  }
}

/** The members of an object that stands in bytes, each as its own text: numbers keep their digits. */
function members(bytes, begin) {
  const named = partsOf(bytes, begin, Infinity).parts.map(({ name, from, to }) => [name, lossy.decode(bytes.subarray(from, to))]);
  return new Map(named);
}

/** Arrays beyond this are not asked about piece by piece. */
const NARROWED_BYTES = 16 * 1024 * 1024;

/**
 * Where an array is at fault that is refused: of its first elements, how many are accepted. The core is asked about fewer and
 * fewer, so that it alone decides this too.
 */
function acceptedOf(question, name) {
  const whole = question.docs[name];
  const { is, parts } = partsOf(whole, 0, Infinity);
  if (is !== "array" || whole.length > NARROWED_BYTES) {
    return undefined;
  }
  const first = (count) => {
    const end = count === 0 ? whole.indexOf(0x5b) + 1 : parts[count - 1].to;
    const bytes = new Uint8Array(end + 1);
    bytes.set(whole.subarray(0, end));
    bytes[end] = 0x5d;
    return bytes;
  };
  const holds = (count) => ask({ ...question, docs: { ...question.docs, [name]: first(count) } }).is === "accept";
  let [held, broken] = [0, parts.length];
  if (!holds(0) || holds(broken)) {
    return undefined;
  }
  while (broken - held > 1) {
    const middle = (held + broken) >> 1;
    [held, broken] = holds(middle) ? [middle, broken] : [held, middle];
  }
  return held;
}
