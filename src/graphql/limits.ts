/** How much one request may contain. */
export const GRAPHQL_LIMITS = {
  /** Tokens of the document. */
  tokens: 1500,
  /** Operations of one request, under whatever names; sign-ins too. */
  operations: 20,
  // Editors query types of types of types; relations have their own bound.
  depth: 16,
  /** Fields in all, each fragment counted wherever it is spread. */
  fields: 500,
  /** Each pair of them is compared, as are all mentions of a name in one place. */
  fragments: 50,
  mentions: 20,
  /** Names of the answer under which one field stands in one place, as over REST. */
  names: 20,
  /** Characters of a name: one that is unknown is compared with all that there are. */
  name: 128,
  /** Values and names of the variables, and names in one object: a faulty one is described in full. */
  variables: 7_500,
  variableNames: 1_000,
  /** Values that one request is answered with, under whatever names, rows and lists counted as well. */
  answer: 30_000,
  /** Characters of an answer as text: more than its texts may hold, each written as `\u0000`. */
  text: 256 * 1024 * 1024,
  /** Faults that are looked for, and told. */
  faults: 10,
} as const;
