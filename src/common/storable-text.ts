/** What a text column takes: no U+0000 and no half a character. */
export const STORABLE = /^[^\0\p{Surrogate}]*$/u;

export const NOT_STORABLE = 'must not hold U+0000 or a lone surrogate';
