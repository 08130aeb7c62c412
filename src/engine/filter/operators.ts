import type { ScalarType } from '../schema/schema';

/** What an operator tests; its negative counterpart makes the same test and negates the result. */
export type Test =
  | 'eq'
  | 'lt'
  | 'lte'
  | 'gt'
  | 'gte'
  | 'in'
  | 'between'
  | 'null'
  | 'empty'
  | 'contains'
  | 'icontains'
  | 'starts_with'
  | 'istarts_with'
  | 'ends_with'
  | 'iends_with'
  | 'regex';

/** The operand's form: one value, a list, two bounds, a boolean that negates where false, a pattern. */
export type Arity = 'one' | 'list' | 'pair' | 'flag' | 'pattern';

export interface OperatorMeaning {
  readonly test: Test;
  readonly negated: boolean;
}

const operatorPair = (
  test: Test,
  positive: string,
  negative?: string,
): [string, OperatorMeaning][] => [
  [positive, { test, negated: false }],
  ...(negative ? [[negative, { test, negated: true }] as [string, OperatorMeaning]] : []),
];

export const OPERATORS: ReadonlyMap<string, OperatorMeaning> = new Map([
  ...operatorPair('eq', '_eq', '_neq'),
  ...operatorPair('lt', '_lt'),
  ...operatorPair('lte', '_lte'),
  ...operatorPair('gt', '_gt'),
  ...operatorPair('gte', '_gte'),
  ...operatorPair('in', '_in', '_nin'),
  ...operatorPair('between', '_between', '_nbetween'),
  ...operatorPair('null', '_null', '_nnull'),
  ...operatorPair('empty', '_empty', '_nempty'),
  ...operatorPair('contains', '_contains', '_ncontains'),
  ...operatorPair('icontains', '_icontains', '_nicontains'),
  ...operatorPair('starts_with', '_starts_with', '_nstarts_with'),
  ...operatorPair('istarts_with', '_istarts_with', '_nistarts_with'),
  ...operatorPair('ends_with', '_ends_with', '_nends_with'),
  ...operatorPair('iends_with', '_iends_with', '_niends_with'),
  ...operatorPair('regex', '_regex'),
]);

/** The name of the operator with this test. */
export const operatorName = ({ test, negated }: OperatorMeaning): string =>
  [...OPERATORS].find(([, meaning]) => meaning.test === test && meaning.negated === negated)?.[0] ??
  '';

const ORDER: readonly Test[] = ['eq', 'lt', 'lte', 'gt', 'gte', 'in', 'between', 'null'];
const EQUALITY: readonly Test[] = ['eq', 'in', 'null'];
/** Tests that search for one text within another. */
const SUBSTRING_TESTS: ReadonlySet<Test> = new Set<Test>([
  'contains',
  'icontains',
  'starts_with',
  'istarts_with',
  'ends_with',
  'iends_with',
]);
const TEXT: readonly Test[] = [...ORDER, 'empty', ...SUBSTRING_TESTS, 'regex'];

export const isSubstringTest = (test: Test): boolean => SUBSTRING_TESTS.has(test);

const TESTS_OF: Readonly<Record<ScalarType, readonly Test[]>> = {
  integer: ORDER,
  bigint: ORDER,
  decimal: ORDER,
  double: ORDER,
  date: ORDER,
  time: ORDER,
  timestamp: ORDER,
  text: TEXT,
  enum: EQUALITY,
  uuid: EQUALITY,
  boolean: ['eq', 'null'],
  json: ['null', 'empty'],
  array: ['null', 'empty'],
};

/** Whether values of the type can be tested so. */
export const supportsTest = (type: ScalarType, test: Test): boolean =>
  TESTS_OF[type].includes(test);

/** The operators that a type supports, in the order of the table; for descriptions and typed inputs. */
export const operatorsOf = (type: ScalarType): string[] =>
  [...OPERATORS]
    .filter(([, { test }]) => supportsTest(type, test) && test !== 'regex')
    .map(([name]) => name);

export function arityOf(test: Test): Arity {
  switch (test) {
    case 'in':
      return 'list';
    case 'between':
      return 'pair';
    case 'null':
    case 'empty':
      return 'flag';
    case 'regex':
      return 'pattern';
    case 'eq':
    case 'lt':
    case 'lte':
    case 'gt':
    case 'gte':
    case 'contains':
    case 'icontains':
    case 'starts_with':
    case 'istarts_with':
    case 'ends_with':
    case 'iends_with':
      return 'one';
  }
}
