/** The first characters of a text; it does not end in the middle of a surrogate pair. */
export const beginningOf = (text: string, length: number): string =>
  text.slice(0, length).replace(/[\uD800-\uDBFF]$/, '');
