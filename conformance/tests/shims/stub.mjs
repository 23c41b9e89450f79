export function canonicalize(value) {
  if (value === null) throw new Error('refused');
  if (typeof value === 'string') throw new TypeError('a slip');
  return '[]';
}
