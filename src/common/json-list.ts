/**
 * A JSON list of members that are JSON already, as one piece: a large text made of pieces would be copied once more
 * before it is sent.
 */
export function jsonList(members: readonly string[]): string {
  const [first, ...others] = members;
  if (first === undefined) return '[]';
  const last = others.pop();
  return last === undefined ? `[${first}]` : [`[${first}`, ...others, `${last}]`].join(',');
}
