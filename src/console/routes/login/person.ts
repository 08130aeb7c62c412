/** Under which the queries keep who is signed in. */
export const PERSON = ['person'] as const;
