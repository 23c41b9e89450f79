// Libraries for RFC 8785 in JavaScript as testees: `node canon.mjs LIBRARY VERSION`, beside a copy of `atp.mjs`, where the
// library is installed. They write a value that JSON.parse has read, so that input is value; a lone surrogate and an overflow
// (as Infinity) come through it.

import { accept, reject, serve, sha256 } from './atp.mjs';

const [library, version] = process.argv.slice(2);
const loaded = await import(library);
// One exports the function itself, as a CommonJS or an ECMAScript module, the other a member of that name.
const canonicalize = loaded.canonicalize ?? loaded.default;

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
    // What the libraries throw on purpose is an Error; one of a finer class is a slip of theirs.
    if (error.constructor !== Error) throw error;
    return reject('A_VALUE');
  }
  const octets = Buffer.from(text);
  return accept({ bytes: octets.toString('base64'), sha256: sha256(octets) });
}

serve(
  {
    testee: { name: library, version, lang: 'javascript' },
    shim: { name: 'assize-canon-javascript', version: '1' },
    ops: { 'canon.bytes': { profile: ['rfc8785'] } },
    capabilities: { input: 'value', values: ['lone-surrogate', 'overflow'] },
    in_flight: 8,
  },
  answer,
);
