/** The verifier itself: a WebAssembly module without imports, which every question goes to. */

import { CORE } from "./core-bytes.js";
import { FaultError, LimitError } from "./errors.js";

interface Exports {
  readonly memory: { readonly buffer: ArrayBuffer };
  /** The place of a frame of so many bytes, or 0 where that is too much. */
  readonly assize_allocate: (length: number) => number;
  /** Place and length of the answer, in the upper and in the lower 32 bits. */
  readonly assize_answer: () => bigint;
}

/** As much as is used of what hosts of different kinds declare differently. */
interface Host {
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (module: object, imports: object) => { readonly exports: Exports };
  readonly compile: (bytes: Uint8Array) => Promise<object>;
}

const { WebAssembly: host } = globalThis as unknown as { readonly WebAssembly: Host };

/** An instance keeps what memory it ever had; one that has more than this is not used again. */
const KEPT_BYTES = 64 * 1024 * 1024;

/** No frame of more bytes has a place in the core's memory. */
const MOST_BYTES = 2 ** 31;

const LOW = 0xffff_ffffn;

let compiled: object | undefined;
let kept: Exports | undefined;

/**
 * Compiles the module ahead of the first question, without blocking. Browsers owe it: they compile
 * large modules at once in workers alone.
 */
export async function load(): Promise<void> {
  compiled ??= await host.compile(bytes());
}

/** Answers a frame, which is handed over in parts. */
export function answer(parts: readonly Uint8Array[]): Uint8Array {
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  let found: Uint8Array | undefined;
  try {
    // What a trap leaves behind is of no further use.
    const exports = kept ?? instance();
    kept = undefined;
    found = asked(exports, parts, length);
    kept = exports.memory.buffer.byteLength > KEPT_BYTES ? undefined : exports;
  } catch (error) {
    throw new FaultError(`the core broke: ${String(error)}`, { cause: error });
  }
  if (found === undefined) {
    const message = `${length} bytes in all, which is more than is taken; ask about less at a time`;
    throw new LimitError("size", message);
  }
  return found;
}

/** The answer, or nothing where the frame is more than is taken. */
function asked(
  exports: Exports,
  parts: readonly Uint8Array[],
  length: number,
): Uint8Array | undefined {
  const place = length > MOST_BYTES ? 0 : exports.assize_allocate(length) >>> 0;
  if (place === 0) {
    return undefined;
  }
  const frame = new Uint8Array(exports.memory.buffer, place, length);
  let at = 0;
  for (const part of parts) {
    frame.set(part, at);
    at += part.length;
  }
  const said = BigInt.asUintN(64, exports.assize_answer());
  // The memory may have grown, which leaves an old view empty.
  return new Uint8Array(exports.memory.buffer, Number(said >> 32n), Number(said & LOW)).slice();
}

function instance(): Exports {
  compiled ??= new host.Module(bytes());
  return new host.Instance(compiled, {}).exports;
}

function bytes(): Uint8Array {
  return base64Bytes(CORE);
}

interface Decoder {
  from(text: string, encoding: "base64"): Uint8Array;
}

/** Node's own way is several times as fast as what browsers have too. */
const { Buffer: decoder } = globalThis as unknown as { readonly Buffer?: Decoder };

export function base64Bytes(text: string): Uint8Array {
  if (decoder !== undefined) {
    const { buffer, byteOffset, length } = decoder.from(text, "base64");
    return new Uint8Array(buffer, byteOffset, length);
  }
  return Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
}
