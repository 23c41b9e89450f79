/** The harness's side of ATP/1: drives any testee over a pipe, one question at a time. */

import { spawn, type ChildProcessWithoutNullStreams } from "node:child_process";
import { once } from "node:events";
import type { Readable, Writable } from "node:stream";

import { jsonText, type Json } from "./answer.js";
import type { Declared } from "./declaration.js";
import {
  asObject,
  DEFAULT_LINE,
  Lines,
  parseFrame,
  PROTOCOL,
  Receipt,
  sha256,
  textMember,
  type Frame,
} from "./frame.js";

/** Time for any reply, a start included. */
const PATIENCE_MS = 30_000;
/** Time to end after goodbye. */
const PARTING_MS = 2_000;
/** Characters of standard error that are kept, the last ones. */
const MOST_KEPT = 2_000;

/** The testee broke, or does not keep to the protocol. */
export class TesteeFault extends Error {
  override readonly name = "TesteeFault";
}

export interface WireQuestion {
  readonly op: string;
  /** What is null is left out. */
  readonly args?: Readonly<Record<string, Json>>;
  readonly docs?: Readonly<Record<string, Uint8Array | null>>;
  readonly root?: string | undefined;
}

/** A reply of the testee, with its text: the values in it keep their spelling there. */
export interface Reply {
  readonly frame: Frame;
  readonly text: string;
}

/** A testee that is started anew when it has crashed, hung or talked nonsense. */
export class Client {
  #connection: Connection | undefined;

  private constructor(
    readonly command: readonly string[],
    connection: Connection,
  ) {
    this.#connection = connection;
  }

  static async start(command: readonly string[]): Promise<Client> {
    return new Client(command, await Connection.open(command));
  }

  /** What the testee says that it implements. */
  get ops(): Declared {
    return this.#connection?.ops ?? {};
  }

  async ask(question: WireQuestion): Promise<Reply> {
    this.#connection ??= await Connection.open(this.command);
    try {
      return await this.#connection.ask(question);
    } catch (error) {
      this.#connection.kill();
      this.#connection = undefined;
      throw error;
    }
  }

  async close(): Promise<void> {
    await this.#connection?.close();
  }
}

class Connection {
  readonly #replies: AsyncGenerator<Reply>;
  readonly #input: Writable;
  readonly #receipt = new Receipt();
  readonly #killAtExit = (): void => this.kill();
  #asked = 0;
  #complaints = "";
  #ops: Declared = {};

  private constructor(readonly child: ChildProcessWithoutNullStreams) {
    const { stdin: input, stdout: output, stderr: complaints } = child;
    this.#input = input;
    this.#replies = replies(output);
    complaints.setEncoding("utf8").on("data", (text: string) => {
      this.#complaints = (this.#complaints + text).slice(-MOST_KEPT);
    });
    // A testee that ends early is noticed where its reply is missing.
    input.on("error", () => undefined);
    process.once("exit", this.#killAtExit);
  }

  static async open(command: readonly string[]): Promise<Connection> {
    const [program = "", ...args] = command;
    const child = spawn(program, args);
    await once(child, "spawn");
    const connection = new Connection(child);
    try {
      await connection.#greet();
    } catch (error) {
      connection.kill();
      throw error;
    }
    return connection;
  }

  get ops(): Declared {
    return this.#ops;
  }

  kill(): void {
    process.off("exit", this.#killAtExit);
    this.child.kill("SIGKILL");
    // A child of the testee may live on and hold the other ends.
    this.child.stdin.destroy();
    this.child.stdout.destroy();
    this.child.stderr.destroy();
  }

  async #greet(): Promise<void> {
    this.#send({
      t: "hello",
      proto: [PROTOCOL, PROTOCOL],
      run: "suite",
      suite: { rev: "suite", sha256: sha256("") },
      limits: { line: DEFAULT_LINE, case_ms: PATIENCE_MS, start_ms: PATIENCE_MS },
    });
    const { frame } = await this.#reply("hello");
    this.#ops = asObject(frame["ops"], '"ops"') as Declared;
  }

  async ask({ op, args = {}, docs = {}, root }: WireQuestion): Promise<Reply> {
    this.#asked += 1;
    const id = `q-${this.#asked}`;
    const parcels = Object.fromEntries(
      Object.entries(docs).flatMap(([name, bytes]) => (bytes ? [[name, parcel(bytes)]] : [])),
    );
    this.#send({
      t: "case",
      id,
      op,
      args: Object.fromEntries(Object.entries(args).filter(([, value]) => value !== null)),
      ms: PATIENCE_MS,
      in: parcels,
      ...(root === undefined ? {} : { root }),
    });
    const reply = await this.#reply("answer", "unsupported", "fault");
    if (reply.frame["id"] !== id) {
      throw new TesteeFault(`a reply to ${String(reply.frame["id"])}, where ${id} was asked`);
    }
    if (reply.frame["t"] === "answer") {
      checkSeen(reply.frame, parcels);
      this.#receipt.count(id, textMember(reply.frame, "is"));
    }
    return reply;
  }

  /** Says goodbye, and holds the testee's account of the session against its own. */
  async close(): Promise<void> {
    try {
      this.#send({ t: "bye" });
      const { frame } = await this.#reply("bye");
      const { served, chain } = this.#receipt;
      if (frame["served"] !== served || frame["chain"] !== chain) {
        throw new TesteeFault(
          `goodbye over ${String(frame["served"])} answers in a chain that is not that of the ${served}`,
        );
      }
      const hasEnded = this.child.exitCode !== null;
      await within(PARTING_MS, "end of the process", hasEnded ? [] : once(this.child, "exit"));
    } finally {
      this.kill();
    }
  }

  #send(frame: Readonly<Record<string, Json>>): void {
    this.#input.write(`${jsonText(frame)}\n`);
  }

  async #reply(...kinds: readonly string[]): Promise<Reply> {
    const next = await within(PATIENCE_MS, "a reply", this.#replies.next());
    if (next.done === true) {
      throw new TesteeFault(`the testee ended where a reply was due: ${this.#complaints}`);
    }
    const reply = next.value as Reply;
    if (!kinds.includes(textMember(reply.frame, "t"))) {
      throw new TesteeFault(
        `${reply.text.slice(0, 200)} came, where ${kinds.join(" or ")} was due`,
      );
    }
    return reply;
  }
}

async function* replies(output: Readable): AsyncGenerator<Reply> {
  const lines = new Lines(() => DEFAULT_LINE);
  for await (const chunk of output) {
    for (const line of lines.take(chunk as Buffer)) {
      yield parseFrame(line);
    }
  }
}

/** A document on its way; an interface would be no JSON value to the compiler. */
type Parcel = Readonly<Record<"b64" | "sha256", string>>;

function parcel(bytes: Uint8Array): Parcel {
  return { b64: Buffer.from(bytes).toString("base64"), sha256: sha256(bytes) };
}

/** Receipts are digests of what the testee is about to judge. */
function checkSeen(frame: Frame, parcels: Readonly<Record<string, Parcel>>): void {
  const seen = asObject(frame["seen"], '"seen"');
  const [names, sent] = [Object.keys(seen), Object.entries(parcels)];
  if (names.length !== sent.length || sent.some(([name, parcel]) => seen[name] !== parcel.sha256)) {
    throw new TesteeFault(
      `receipts ${JSON.stringify(seen)} are not those of the documents that were sent`,
    );
  }
}

async function within<T>(milliseconds: number, what: string, awaited: T | Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const expiry = new Promise<never>((_, fail) => {
    timer = setTimeout(
      () => fail(new TesteeFault(`no ${what} within ${milliseconds} ms`)),
      milliseconds,
    );
  });
  try {
    return await Promise.race([awaited, expiry]);
  } finally {
    clearTimeout(timer);
  }
}
