/** A question that lacks what its operation needs. */
export class BadQuestion extends Error {
  override readonly name = "BadQuestion";
}

/** One question as it came from a case or from the harness. */
export class Question {
  constructor(
    readonly op: string,
    /** Strings, arrays of strings, and for arguments of any type their JSON text. */
    readonly args: Readonly<Record<string, unknown>>,
    readonly docs: Readonly<Record<string, Uint8Array>>,
    readonly root: string | undefined,
  ) {}

  /** An argument from a closed list; the declaration has been held against its value. */
  text<Value extends string>(name: string): Value {
    const value = this.optionalText<Value>(name);
    if (value === null) {
      throw new BadQuestion(`${this.op} is asked without args.${name}`);
    }
    return value;
  }

  /** Null where the question has none, as for all that is optional. */
  optionalText<Value extends string>(name: string): Value | null {
    const value = this.args[name];
    if (value !== undefined && typeof value !== "string") {
      throw new BadQuestion(`args.${name} is not a string`);
    }
    return (value as Value | undefined) ?? null;
  }

  texts<Value extends string>(name: string): readonly Value[] {
    const value = this.optionalTexts<Value>(name);
    if (value === null) {
      throw new BadQuestion(`${this.op} is asked without args.${name}`);
    }
    return value;
  }

  optionalTexts<Value extends string>(name: string): readonly Value[] | null {
    const value = this.args[name];
    if (value === undefined) {
      return null;
    }
    if (!Array.isArray(value) || !value.every((item) => typeof item === "string")) {
      throw new BadQuestion(`args.${name} is not an array of strings`);
    }
    return value as Value[];
  }

  document(name: string): Uint8Array {
    const bytes = this.docs[name];
    if (bytes === undefined) {
      throw new BadQuestion(`${this.op} is asked without in.${name}`);
    }
    return bytes;
  }

  optionalDocument(name: string): Uint8Array | null {
    return this.docs[name] ?? null;
  }

  /** The folder that was made for this case alone. */
  folder(): string {
    if (this.root === undefined) {
      throw new BadQuestion(`${this.op} is asked without root`);
    }
    return this.root;
  }
}
