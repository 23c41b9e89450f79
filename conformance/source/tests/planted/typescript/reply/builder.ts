export type ReplyType = "S" | "I" | "D" | "E";

export class Reply {
  constructor(
    readonly replyType: ReplyType,
    readonly code: string,
    readonly data: object | null,
  ) {}

  get message(): string {
    return this.code;
  }
}

export class ReplyBuilder {
  #frozen = false;

  private make(type: ReplyType, code: string, data?: object): Reply {
    if (this.#frozen) throw new Error("frozen");
    this.#frozen = type !== "S";
    return new Reply(type, code, data ?? null);
  }

  success(data?: object): Reply {
    return this.make("S", "MCP-SYS-S-001", data);
  }

  invalid(code: string, data?: object): Reply {
    return this.make("I", code, data);
  }

  denied(code: string, data?: object): Reply {
    return this.make("D", code, data);
  }

  error(code: string, data?: object): Reply {
    return this.make("E", code, data);
  }

  info = (text: string): Reply => this.success({ text }); // fault: reply/no-forbidden-methods
}
