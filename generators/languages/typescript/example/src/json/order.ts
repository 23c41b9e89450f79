/**
 * Compares by Unicode code point, which is the byte order of UTF-8. `<` and `sort()` compare UTF-16
 * units instead, and so put U+1F600 (a surrogate pair) before U+FF61.
 */
export function compareCodePoints(a: string, b: string): number {
  const shorter = Math.min(a.length, b.length);
  let index = 0;
  while (index < shorter && a.charCodeAt(index) === b.charCodeAt(index)) {
    index += 1;
  }
  if (index === shorter) {
    return a.length - b.length;
  }
  // Two surrogate pairs may differ in their second unit alone.
  const start = index > 0 && isHighSurrogate(a.charCodeAt(index - 1)) ? index - 1 : index;
  return (a.codePointAt(start) ?? 0) - (b.codePointAt(start) ?? 0);
}

export function compareUtf16Units(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}

/** Compares integer tokens of any size. */
export function compareIntegers(a: string, b: string): number {
  const [x, y] = [BigInt(a), BigInt(b)];
  return x < y ? -1 : Number(x > y);
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}
