import {
  AccessFault,
  type BoundFilter,
  bindFilter,
  evaluateFilter,
  type FieldLookup,
  type FieldShape,
  type Filter,
  type FilterTree,
  malformed,
  parseFilter,
  textOf,
  usesVariable,
} from '../engine';

/** Matching costs about a millisecond for each of the longest patterns. */
const MAX_PATTERNS = 20;

const EMAIL: FieldShape = {
  kind: 'column',
  name: 'email',
  type: 'text',
  nullable: false,
  concealed: false,
  hasDefault: false,
};

/** The fields that the filter may name. */
const LOOKUP: FieldLookup = {
  key: () => undefined,
  field: (_, name) => (name === 'email' ? EMAIL : undefined),
};

/**
 * Reads a filter on the single field `email`, with all operators of text, including `_regex`.
 * @throws AccessFault that names the position and the reason
 */
export function parseEmailFilter(raw: unknown): Filter {
  const filter = parseFilter(raw, '', { lookup: LOOKUP, position: 'rule', regex: true }, []);
  if (usesVariable(filter, () => true)) {
    throw malformed(['email'], 'must not hold variables: a person who registers has no user yet');
  }
  if (patternsIn(filter) > MAX_PATTERNS) {
    throw malformed(['email'], `must hold at most ${MAX_PATTERNS} regular expressions`);
  }
  return filter;
}

/**
 * Whether an address may register. Case is ignored: both sides are compared in lower case, except for regular
 * expressions, which are used as written. A filter that cannot be read allows nobody.
 */
export function matchesEmailFilter(raw: unknown, email: string): boolean {
  const filter = boundFilter(raw);
  return (
    filter !== undefined &&
    evaluateFilter(filter, {
      cell: () => email.toLowerCase(),
      count: () => null,
      related: () => false,
    })
  );
}

function boundFilter(raw: unknown): BoundFilter | undefined {
  try {
    return folded(bindFilter(parseEmailFilter(raw), { now: new Date(), valueOf: () => null }));
  } catch (error) {
    if (error instanceof AccessFault) return undefined;
    throw error;
  }
}

/** The filter with its texts in lower case. */
function folded(filter: BoundFilter): BoundFilter {
  switch (filter.kind) {
    case 'and':
    case 'or':
      return { ...filter, of: filter.of.map(folded) };
    case 'to-one':
    case 'to-many':
      return { ...filter, filter: folded(filter.filter) };
    case 'leaf':
      return filter.test === 'regex'
        ? filter
        : { ...filter, operands: filter.operands.map((each) => textOf(each).toLowerCase()) };
  }
}

function patternsIn(filter: FilterTree<unknown>): number {
  switch (filter.kind) {
    case 'and':
    case 'or':
      return filter.of.reduce((sum, member) => sum + patternsIn(member), 0);
    case 'to-one':
    case 'to-many':
      return patternsIn(filter.filter);
    case 'leaf':
      return filter.test === 'regex' ? 1 : 0;
  }
}
