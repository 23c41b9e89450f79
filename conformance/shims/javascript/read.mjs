// Readers of JSON in JavaScript as testees: `node read.mjs LIBRARY VERSION`, beside a copy of `atp.mjs`. They take a text, which
// is decoded strictly before: what is no UTF-8 is refused here and not by them, as in every program that reads with them. What
// a reader has read is written here, by RFC 8785.

import { accept, reject, serve, sha256 } from './atp.mjs';

const [library, version] = process.argv.slice(2);

// How each is asked.
const libraries = {
  'JSON.parse': async () => JSON.parse,
  'json-bigint': async () => (await import('json-bigint')).default.parse,
  'lossless-json': async () => (await import('lossless-json')).parse,
  'secure-json-parse': async () => (await import('secure-json-parse')).default.parse,
  jsonlint: async () => (await import('jsonlint')).default.parse,
};
const read = await libraries[library]();
if (library === 'JSON.parse' && version && !`${process.versions.node}.`.startsWith(`${version}.`)) throw new Error(`this is Node ${process.versions.node}`);

// A value of JavaScript as RFC 8785 has it; the libraries have numbers of their own, which print as what they are.
function canonical(value) {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (value === null || typeof value !== 'object') return JSON.stringify(typeof value === 'bigint' ? Number(value) : value);
  if (value.isLosslessNumber || value._isBigNumber) return JSON.stringify(Number(`${value}`));
  const members = Object.keys(value).sort().map((name) => `${JSON.stringify(name)}:${canonical(value[name])}`);
  return `{${members.join(',')}}`;
}

function answer({ docs }) {
  let value;
  try {
    value = read(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(docs.doc));
  } catch (error) {
    if (error instanceof RangeError) return reject('A_LIMIT');
    return reject('A_JSON');
  }
  const octets = Buffer.from(canonical(value));
  return accept({ bytes: octets.toString('base64'), sha256: sha256(octets) });
}

serve(
  {
    testee: { name: library, version: library === 'JSON.parse' ? process.versions.node : version, lang: 'javascript' },
    shim: { name: 'assize-read-javascript', version: '1' },
    ops: { 'canon.bytes': { profile: ['rfc8785'] } },
    in_flight: 8,
  },
  answer,
);
