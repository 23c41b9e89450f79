// Where the parts of a JSON text lie, in its bytes. It never fails: what is no JSON is still recognised by what there is of it,
// and whether it is JSON the verifier says.

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
const isOpening = (byte) => byte === 0x7b || byte === 0x5b;
const isClosing = (byte) => byte === 0x7d || byte === 0x5d;
const isBlank = (byte) => byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;

/** The first parts, at most so many, of the container that begins at a place: `name` (of an object), and where the value lies. */
function partsOf(bytes, begin, most) {
  let at = afterBlanks(bytes, begin, bytes.length);
  const parts = [];
  if (at === bytes.length || !isOpening(bytes[at])) {
    return { is: "other", parts };
  }
  const is = bytes[at] === 0x7b ? "object" : "array";
  let depth = 1;
  let from = at + 1;
  let name;
  const close = (to) => {
    const first = afterBlanks(bytes, from, to);
    if (first < to) {
      parts.push({ name, from: first, to });
    }
    from = to + 1;
    name = undefined;
  };
  for (at += 1; at < bytes.length && parts.length < most; at += 1) {
    const byte = bytes[at];
    if (byte === QUOTE) {
      at = endOfText(bytes, at);
    } else if (isOpening(byte)) {
      depth += 1;
    } else if (isClosing(byte)) {
      depth -= 1;
      if (depth === 0) {
        close(at);
        return { is, parts };
      }
    } else if (depth === 1 && byte === COMMA) {
      close(at);
    } else if (depth === 1 && byte === COLON && is === "object" && name === undefined) {
      name = nameIn(bytes, from, at);
      from = at + 1;
    }
  }
  if (parts.length < most) {
    close(bytes.length);
  }
  return { is, parts };
}

/** The first place of a range that holds no blank. */
function afterBlanks(bytes, from, to) {
  let at = from;
  while (at < to && isBlank(bytes[at])) {
    at += 1;
  }
  return at;
}

/** The place of the quote that ends the text that begins at a place. */
function endOfText(bytes, begin) {
  let at = begin + 1;
  while (at < bytes.length && bytes[at] !== QUOTE) {
    at += bytes[at] === BACKSLASH ? 2 : 1;
  }
  return at;
}

function nameIn(bytes, from, to) {
  const text = lossy.decode(bytes.subarray(from, to)).trim();
  try {
    return String(JSON.parse(text));
  } catch {
    return text;
  }
}

const lossy = new TextDecoder();

/** What is enough of a document to recognise it by: its kind, and names of members, of an array those of its first element. */
function outline(whole) {
  const bytes = whole.subarray(0, LOOKED_AT);
  const { is, parts } = partsOf(bytes, startsWithMark(bytes) ? 3 : 0, 1);
  const named = (begin) => partsOf(bytes, begin, NAMES).parts.map((part) => part.name);
  const begin = lossy.decode(bytes.subarray(0, BEGINNING));
  if (is === "array") {
    return { is, begin, members: parts.length === 0 ? [] : named(parts[0].from) };
  }
  return { is, begin, members: is === "object" ? named(startsWithMark(bytes) ? 3 : 0) : [] };
}

const LOOKED_AT = 16 * 1024 * 1024;
const NAMES = 64;
const BEGINNING = 200;
const startsWithMark = (bytes) => bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
