import { isBannedNumber } from "../json/value.js";

/** Writes a number token in canonical form; undefined where it has none. */
export type NumberForm = (token: string) => string | undefined;

/** Integers of any size; floats and `-0` are banned by their spelling. */
export const integersOnly: NumberForm = (token) => (isBannedNumber(token) ? undefined : token);

const INTEGER = /^-?[0-9]+$/;

/** An integer token is canonical but for the sign of zero. */
function integer(token: string): string {
  return token === "-0" ? "0" : token;
}

/** RFC 8785: a double as ECMAScript prints it. */
export const ecmascript: NumberForm = (token) => {
  const value = Number(token);
  // String(-0) is "0", as RFC 8785 has it.
  return Number.isFinite(value) ? String(value) : undefined;
};

/** The same, but no integer that a double might not hold. */
export const ecmascriptSafe: NumberForm = (token) =>
  INTEGER.test(token) && !Number.isSafeInteger(Number(token)) ? undefined : ecmascript(token);

/** Python: exact integers, and doubles in the layout of `repr`. */
export const python: NumberForm = (token) => {
  if (INTEGER.test(token)) {
    return integer(token);
  }
  const value = Number(token);
  return Number.isFinite(value) ? pythonRepr(value) : undefined;
};

/** The digits are ECMAScript's, which are the shortest and closest too; the layout is not. */
function pythonRepr(value: number): string {
  if (value === 0) {
    return Object.is(value, -0) ? "-0.0" : "0.0";
  }
  const [mantissa = "", power = "0"] = value.toExponential().split("e");
  const exponent = Number(power);
  if (exponent < -4 || exponent >= 16) {
    const digits = String(Math.abs(exponent)).padStart(2, "0");
    return `${mantissa}e${exponent < 0 ? "-" : "+"}${digits}`;
  }
  // Within these bounds ECMAScript is positional too.
  const positional = String(value);
  return positional.includes(".") ? positional : `${positional}.0`;
}
