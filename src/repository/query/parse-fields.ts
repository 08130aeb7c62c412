import { malformed } from '../../engine';
import { parseNames, parseObject, withoutEmpty } from './parameters';
import type { RawQuery } from './query';
import { FieldSelection } from './field-selection';
import { isRecord } from '../../common/is-object';

const MAX_PATHS = 500;
const NAME = /^[A-Za-z][A-Za-z0-9_]{0,63}$/;
const OF_ROWS = ['_filter', '_sort', '_limit', '_offset', '_page', '_search'];

/**
 * Reads `fields`, `alias` and `deep` into one tree. `fields` may be such a tree already: GraphQL makes one.
 * @param maxDepth how many relations may be followed one after another; judged while it is read
 */
export function parseFields(raw: RawQuery, maxDepth: number): FieldSelection {
  const { fields } = raw;
  const root = fields instanceof FieldSelection ? fields : parsePaths(fields, maxDepth);
  parseAlias(raw['alias'], root, ['alias']);
  parseDeep(parseObject(raw['deep'], ['deep']), root, maxDepth, ['deep']);
  return root;
}

/** @param raw a comma-separated string, a list of such; naming nothing means `*` */
function parsePaths(raw: unknown, maxDepth: number): FieldSelection {
  const root = new FieldSelection().open();
  const names = parseNames(raw, ['fields']) ?? [];
  const paths = names.length === 0 ? ['*'] : names;
  if (paths.length > MAX_PATHS)
    throw malformed(['fields'], `must name at most ${MAX_PATHS} fields`);
  for (const path of paths) {
    // Relation names, then a field of the last relation.
    const parts = path.split('.', maxDepth + 2);
    if (parts.includes('')) throw malformed(['fields'], 'must be names, separated by dots');
    if (parts.length > maxDepth + 1) throw tooDeep(['fields', parts[0] ?? ''], maxDepth);
    parts.reduce((node, name) => node.add(name), root);
  }
  return root;
}

/** `alias[shown]=field`. @param at where it stands */
function parseAlias(raw: unknown, node: FieldSelection, at: readonly string[]): void {
  for (const [as, field] of Object.entries(parseObject(raw, at)) as [string, unknown][]) {
    if (!NAME.test(as) || as === 'constructor')
      throw malformed([...at, as], 'is not a valid name for a field');
    if (typeof field !== 'string') throw malformed([...at, as], 'must name a field');
    node.alias(as, field);
  }
}

/** For each relation: which of its rows, their aliases, and the same for the relations below. @param at where it stands */
function parseDeep(deep: object, node: FieldSelection, left: number, at: readonly string[]): void {
  for (const [as, sent] of Object.entries(deep) as [string, unknown][]) {
    const place = [...at, as];
    if (!isRecord(sent)) throw malformed(place, 'must be an object');
    if (left === 0) throw malformed(place, 'is nested deeper than relations may be followed');
    const { _alias, ...rest } = sent as RawQuery;
    const { alias } = withoutEmpty({ alias: _alias });
    const [rows, below] = [ofRows(rest, place), relations(rest)];
    const relation = node.query(as, rows);
    parseAlias(alias, relation, [...place, '_alias']);
    parseDeep(below, relation, left - 1, place);
  }
}

const relations = (sent: RawQuery): RawQuery =>
  Object.fromEntries(Object.entries(sent).filter(([name]) => !name.startsWith('_')));

/** `_filter`, `_sort` … under the names of a list's parameters; as in those, an empty one counts as missing. */
function ofRows(sent: RawQuery, at: readonly string[]): RawQuery {
  const own = Object.entries(sent).filter(([name]) => name.startsWith('_'));
  const rows = own.map(([name, value]): [string, unknown] => {
    if (OF_ROWS.includes(name)) return [name.slice(1), value];
    throw malformed([...at, name], 'is no query parameter of a relation');
  });
  return withoutEmpty(Object.fromEntries(rows));
}

export const tooDeep = (path: readonly string[], maxDepth: number): Error =>
  malformed(path, `follows more than ${maxDepth} relations`);
