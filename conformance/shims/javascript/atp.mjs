// The testee's side of ATP/1, the line protocol of Assize, for testees and shims in JavaScript. No build, nothing to install:
// copy this file next to your own and write a function from a request {op, args, docs, root, ms} to an answer. `docs` holds
// the exact bytes to judge, by name. Standard output belongs to the protocol: console.error, never console.log.

import { createHash } from 'node:crypto';
import { readSync, writeSync } from 'node:fs';

const PROTOCOL = 1;
const BAD_INPUT = 3;

// The implementation accepts; `out` as it travels: doc as JSON text, bytes as base64, value as plain JSON.
export const accept = (out = {}) => ({ t: 'answer', is: 'accept', out });
// The implementation refuses. This is a judgement: a crash or an exception is not one.
export const reject = (...codes) => ({ t: 'answer', is: 'reject', codes });
// The implementation broke, and nobody knows what it would have said.
export const fault = (kind, message) => ({ t: 'fault', kind, message });
export const sha256 = (octets) => createHash('sha256').update(octets).digest('hex');

class BadFrame extends Error {}

// Serves one session and ends the process. `about`: testee, shim, ops and what else hello says; `answer`: the function.
export function serve(about, answer) {
  const state = { limit: 8 << 20, served: 0, chain: '0'.repeat(64), greeted: false };
  try {
    for (const line of lines(state)) if (!step(line)) break;
  } catch (error) {
    if (!(error instanceof BadFrame)) throw error;
    console.error(`atp: ${error.message}; see the protocol's page for the frames`);
    process.exit(BAD_INPUT);
  }
  process.exit(0);

  // Does what one line asks; false when it was the last one.
  function step(line) {
    const frame = parsed(line);
    if (frame.t === 'hello' && !state.greeted) {
      const [low, high] = owed(frame, 'proto', Array.isArray);
      if (PROTOCOL < low || PROTOCOL > high) {
        write({ t: 'refuse', why: 'proto', supported: [PROTOCOL] });
        return false;
      }
      state.greeted = true;
      state.limit = frame.limits?.line ?? state.limit;
      write({ t: 'hello', proto: PROTOCOL, in_flight: 1, ...about });
    } else if (frame.t === 'case' && state.greeted) {
      reply(frame, judged(frame));
    } else if (frame.t === 'ping' && state.greeted) {
      write({ t: 'pong', n: frame.n });
    } else if (frame.t === 'bye' && state.greeted) {
      write({ t: 'bye', served: state.served, chain: state.chain });
      return false;
    } else {
      throw new BadFrame(`a frame ${JSON.stringify(frame.t)} that has no place here`);
    }
    return true;
  }

  // The answer to a question; what the implementation lets escape is a fault, never a rejection.
  function judged(frame) {
    const docs = {};
    const seen = {};
    for (const [name, parcel] of Object.entries(owed(frame, 'in', (value) => typeof value === 'object'))) {
      docs[name] = Buffer.from(parcel.b64, 'base64');
      seen[name] = sha256(docs[name]);
      if (seen[name] !== parcel.sha256) return fault('receipt', `in.${name}: the bytes have SHA-256 ${seen[name]}`);
    }
    const { op, args, root, ms } = frame;
    const choices = Object.hasOwn(about.ops, op) ? about.ops[op] : null;
    if (choices === null) return { t: 'unsupported', feature: op };
    for (const [name, values] of Object.entries(choices)) {
      if (!values.includes(args[name])) return { t: 'unsupported', feature: `${op}/${args[name]}` };
    }
    try {
      return { ...answer({ op, args, docs, root, ms }), seen };
    } catch (error) {
      console.error(error);
      return fault('panic', `${error}`.toWellFormed());
    }
  }

  // Writes an answer, and counts it once it is written.
  function reply(frame, said) {
    const id = owed(frame, 'id', (value) => typeof value === 'string');
    let whole = JSON.stringify({ ...said, id });
    if (Buffer.byteLength(whole) > state.limit) {
      said = fault('limit', 'the answer is longer than limits.line');
      whole = JSON.stringify({ ...said, id });
    }
    send(whole);
    if (said.t !== 'answer') return;
    state.served += 1;
    state.chain = sha256(`${state.chain}\n${id}\n${said.is}`);
  }
}

const write = (frame) => send(JSON.stringify(frame));

function send(text) {
  const octets = Buffer.from(`${text}\n`);
  for (let at = 0; at < octets.length; ) at += retried(() => writeSync(1, octets, at));
}

// A pipe may be set not to block; then there is nothing yet, or no room yet.
function retried(call) {
  for (;;) {
    try {
      return call();
    } catch (error) {
      if (error.code === 'EOF') return 0;
      if (error.code !== 'EAGAIN') throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1);
    }
  }
}

// The lines of standard input, as bytes without their LF.
function* lines(state) {
  const block = Buffer.alloc(1 << 16);
  let parts = [];
  for (;;) {
    const size = retried(() => readSync(0, block));
    if (size === 0) break;
    let rest = Buffer.from(block.subarray(0, size));
    for (let at = rest.indexOf(10); at >= 0; at = rest.indexOf(10)) {
      yield Buffer.concat([...parts, rest.subarray(0, at)]);
      [parts, rest] = [[], rest.subarray(at + 1)];
    }
    parts.push(rest);
    if (parts.reduce((sum, part) => sum + part.length, 0) > state.limit) throw new BadFrame('a line that is too long');
  }
  if (parts.some((part) => part.length > 0)) throw new BadFrame('a line without its line feed');
}

function parsed(line) {
  try {
    return Object(JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(line)));
  } catch (error) {
    throw new BadFrame(`no JSON: ${error.message}`);
  }
}

// A member that a frame owes.
function owed(frame, name, fits) {
  if (frame[name] == null || !fits(frame[name])) throw new BadFrame(`${name} is missing or of a wrong type`);
  return frame[name];
}
