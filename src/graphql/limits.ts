/** How much one request may contain. */
export const GRAPHQL_LIMITS = {
  /** Tokens of the document. */
  tokens: 1500,
  /** Operations of one request, under whatever names; sign-ins too. */
  operations: 20,
  /** Of these, how many queries are executed at once. */
  concurrency: 3,
  // Editors query types of types of types; relations have their own bound.
  depth: 16,
  /** Fields in all, each fragment counted wherever it is spread. */
  fields: 500,
  /** Each pair of them is compared, as are all mentions of a name in one place. */
  fragments: 50,
  mentions: 20,
  /** Response names of one field in one place, as over REST. */
  names: 20,
  /** Characters of a name: an unknown one is compared with all existing names. */
  name: 128,
  /** Values and names of the variables, and names in one object: a faulty one is described in full. */
  variables: 7_500,
  variableNames: 1_000,
  /** Values in the answers of one request, each response name counted, rows and lists included. */
  answer: 30_000,
  /** Characters of an answer as JSON: room for all of its texts with every character escaped (`\u0000`). */
  text: 256 * 1024 * 1024,
  /** Faults that are searched for, and reported. */
  faults: 10,
} as const;
