/** How much one request may ask for. */
export const GRAPHQL_LIMITS = {
  /** Words and signs of the document. */
  tokens: 1500,
  /** Operations of one request, whatever names they are given: sign-ins too. */
  operations: 20,
  // Editors ask for types of types of types; relations are bounded by themselves.
  depth: 16,
  /** Fields in all, each fragment counted wherever it is spread. */
  fields: 500,
  /** Every two of them are compared with each other; so is every mention of a name in one place with the others. */
  fragments: 50,
  mentions: 20,
  /** Characters of a name: one that is unknown is compared with all that there are. */
  name: 128,
  /** Values and names of the variables, and how many names one object has: a faulty one is described as a whole. */
  variables: 7_500,
  names: 1_000,
  /** Values that the queries of one request are answered with, rows and lists counted as well. */
  answer: 30_000,
  /** Faults that are looked for, and told. */
  faults: 10,
} as const;
