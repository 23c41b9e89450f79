// Libraries that write canonical or stable JSON in JavaScript as testees: `node canon.mjs LIBRARY VERSION`, beside a copy of
// `atp.mjs`, where the library is installed. They write a value that JSON.parse has read, so that input is value; a lone
// surrogate and an overflow (as Infinity) come through it.

import { accept, reject, serve, sha256 } from './atp.mjs';

// Those that say they write objects and arrays.
const CONTAINERS = new Set(['another-json']);
const [library, version] = process.argv.slice(2);
const loaded = await import(library);
// Some export the function itself, as a CommonJS or an ECMAScript module, the others a member of one of these names.
const canonicalize = loaded.canonicalize ?? loaded.canonify ?? loaded.stringify ?? loaded.default;

function answer({ docs }) {
  let value;
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(docs.doc));
  } catch {
    return reject('A_JSON');
  }
  let text;
  try {
    text = canonicalize(value);
  } catch (error) {
    // The stack is used up: a limit on depth, which the engine sets.
    if (error instanceof RangeError && /call stack/.test(error.message)) return reject('A_LIMIT');
    // What the libraries throw on purpose is an Error; one of a finer class is a slip of theirs, but for one whose words these are.
    if (error.constructor !== Error && !error.message.startsWith('cannot encode ')) throw error;
    return reject('A_VALUE');
  }
  // One writes objects and arrays alone, and hands a number and a boolean back as they are.
  if (typeof text !== 'string') return reject('A_VALUE');
  const octets = Buffer.from(text);
  return accept({ bytes: octets.toString('base64'), sha256: sha256(octets) });
}

serve(
  {
    testee: { name: library, version, lang: 'javascript' },
    shim: { name: 'assize-canon-javascript', version: '2' },
    ops: { 'canon.bytes': { profile: ['rfc8785'] } },
    capabilities: { input: 'value', values: ['lone-surrogate', 'overflow'], roots: CONTAINERS.has(library) ? 'containers' : 'any' },
    in_flight: 8,
  },
  answer,
);
