import { ACCOUNT_LINES } from './lines/account-lines';
import { GRAPHQL_LINES } from './lines/graphql-lines';
import { READING_LINES } from './lines/reading-lines';
import { WRITING_LINES } from './lines/writing-lines';
import type { Line } from './line';

/** All lines of the bench, with the targets of the specification. Those that write come last. */
export const LINES: readonly Line[] = [
  ...ACCOUNT_LINES,
  ...READING_LINES,
  ...GRAPHQL_LINES,
  ...WRITING_LINES,
];
