/** Shapes of JSON values: each says at which places a value breaks it. */

import { pointerToken } from "./json/reader.js";
import { member, type JsonValue } from "./json/value.js";

export interface ShapeBreach {
  /** JSON Pointer; an absent member is named as if it were there. */
  readonly pointer: string;
  readonly message: string;
}

export type Shape = (value: JsonValue, pointer: string) => readonly ShapeBreach[];

type Shapes = Readonly<Record<string, Shape>>;

/** A shape of one message: the value has it or not. */
function test(expected: string, holds: (value: JsonValue) => boolean): Shape {
  return (value, pointer) =>
    holds(value) ? [] : [{ pointer, message: `${expected} is due here` }];
}

export const string = test("a string", (value) => value.kind === "string");

export const natural = test("an integer from 0 on", (value) =>
  value.kind === "number" && /^[0-9]+$/.test(value.token));

export const anyObject = test("an object", (value) => value.kind === "object");

export function matching(pattern: RegExp): Shape {
  return test(`a string like ${pattern.source}`, (value) =>
    value.kind === "string" && pattern.test(value.value));
}

/** One of these strings, or null where null is among them. */
export function oneOf(...choices: readonly (string | null)[]): Shape {
  return test(`one of ${choices.join(", ")}`, (value) =>
    value.kind === "null"
      ? choices.includes(null)
      : value.kind === "string" && choices.includes(value.value));
}

export function nullable(shape: Shape): Shape {
  return (value, pointer) => (value.kind === "null" ? [] : shape(value, pointer));
}

export function all(...shapes: readonly Shape[]): Shape {
  return (value, pointer) => shapes.flatMap((shape) => shape(value, pointer));
}

/** A closed object: these members, and no others. */
export function object(required: Shapes, optional: Shapes = {}): Shape {
  return (value, pointer) => {
    if (value.kind !== "object") {
      return anyObject(value, pointer);
    }
    const known = { ...required, ...optional };
    const unknown = value.members.filter(({ name }) => !Object.hasOwn(known, name));
    return [
      ...Object.keys(required)
        .filter((name) => member(value, name) === undefined)
        .map((name) => ({
          pointer: pointer + pointerToken(name),
          message: "the member is missing",
        })),
      ...unknown.map(({ name }) => ({
        pointer: pointer + pointerToken(name),
        message: "no such member here",
      })),
      ...members(known)(value, pointer),
    ];
  };
}

/** Shapes of members that are there; says nothing of others. */
export function members(shapes: Shapes): Shape {
  return (value, pointer) =>
    Object.entries(shapes).flatMap(([name, shape]) => {
      const found = member(value, name);
      return found === undefined ? [] : shape(found, pointer + pointerToken(name));
    });
}

/** An object of any names. */
export function dictionary(of: Shape): Shape {
  return (value, pointer) =>
    value.kind === "object"
      ? value.members.flatMap(({ name, value: inner }) => of(inner, pointer + pointerToken(name)))
      : anyObject(value, pointer);
}

export function array(of: Shape, least = 0): Shape {
  return (value, pointer) => {
    if (value.kind !== "array" || value.items.length < least) {
      return [{ pointer, message: `an array of at least ${least} items is due here` }];
    }
    return value.items.flatMap((item, index) => of(item, pointer + pointerToken(index)));
  };
}

/** The breaches of a document, each place named once. */
export function breaches(shape: Shape, document: JsonValue): ShapeBreach[] {
  const byPointer = new Map(shape(document, "").map((breach) => [breach.pointer, breach]));
  return [...byPointer.values()];
}
