import {
  type FieldShape,
  hidden,
  isStored,
  malformed,
  type ToManyShape,
  type ToOneShape,
} from '../../access';
import type { FieldsNode } from './fields-tree';
import { deepParameters, type DeepQuery } from './parse-deep';
import type { QuerySetting } from './query-setting';
import type { RawQuery, RowQuery, SelectedField, SelectedRelation } from './query';

const MOST_NAMES = 20;

interface Selecting {
  readonly setting: QuerySetting;
  readonly deep: DeepQuery;
  /** Alias → field. */
  readonly aliases: ReadonlyMap<string, string>;
  readonly depth: number;
  readonly related: (target: string, inner: RawQuery) => RowQuery;
}

interface Selected {
  readonly fields: SelectedField[];
  readonly relations: SelectedRelation[];
}

/**
 * Turns the wished-for fields into what is read of each row.
 * `*` is every column that may be shown; a relation is opened where something below it is named.
 */
export function selectFields(tree: FieldsNode, collection: string, selecting: Selecting): Selected {
  const selected = new Map<string, SelectedField | SelectedRelation>();
  for (const [name, node] of wildcardFirst(tree)) {
    for (const [as, field] of named(name, collection, selecting, node)) {
      const inner = mergedNode(tree, name, as, node);
      selected.set(as, select(as, field, inner, selecting));
    }
  }
  const all = [...selected.values()];
  refuseUnopened(selecting, collection, all);
  refuseRepeated(all);
  return {
    fields: all.filter((each): each is SelectedField => !('query' in each)),
    relations: all.filter((each): each is SelectedRelation => 'query' in each),
  };
}

/** What `deep` or `alias` name must be there to be named; `deep` must speak of a relation that is opened. */
function refuseUnopened(
  { deep, aliases, setting }: Selecting,
  collection: string,
  selected: readonly (SelectedField | SelectedRelation)[],
): void {
  for (const [as, name] of aliases) {
    if (!setting.shown.field(collection, name)) throw hidden(['alias', as], collection, name);
  }
  for (const as of deep.keys()) {
    const name = aliases.get(as) ?? as;
    if (!setting.shown.field(collection, name)) throw hidden(['deep', as], collection, name);
    const opened = selected.some((each) => each.as === as && 'query' in each);
    if (!opened) throw malformed(['deep', as], 'is no relation that fields opens');
  }
}

/** `*,category.name` shows the columns, and category opened: what is named goes over what the star gives. */
const wildcardFirst = (tree: FieldsNode): [string, FieldsNode][] =>
  [...tree.children].sort(([one], [other]) => Number(other === '*') - Number(one === '*'));

/** Every name that a field is shown under repeats its value, however long that is. */
function refuseRepeated(selected: readonly (SelectedField | SelectedRelation)[]): void {
  const names = new Map<string, number>();
  for (const { field } of selected) {
    const count = (names.get(field.name) ?? 0) + 1;
    if (count > MOST_NAMES) {
      throw malformed(['fields', field.name], `must have at most ${MOST_NAMES} names`);
    }
    names.set(field.name, count);
  }
}

function named(
  name: string,
  collection: string,
  selecting: Selecting,
  node: FieldsNode,
): [string, FieldShape][] {
  const { shown } = selecting.setting;
  if (name === '*') {
    return shown
      .fields(collection)
      .filter((field) => isStored(field) || opens(field, node, selecting))
      .map((field) => [field.name, field]);
  }
  const field = shown.field(collection, selecting.aliases.get(name) ?? name);
  if (!field) throw hidden(['fields', name], collection, selecting.aliases.get(name) ?? name);
  return [[name, field]];
}

/** Under `*.*` every relation is opened that leads to something the caller may read. */
const opens = (field: FieldShape, node: FieldsNode, selecting: Selecting): boolean =>
  field.kind !== 'column' &&
  node.children.size > 0 &&
  selecting.setting.shown.key(field.target) !== undefined;

/** What `*.x` says of every relation and what `category.y` says of one belong together. */
function mergedNode(tree: FieldsNode, name: string, as: string, node: FieldsNode): FieldsNode {
  const star = tree.children.get('*');
  const own = tree.children.get(as);
  if (name === '*' || !star || !own) return node;
  return { children: new Map([...star.children, ...own.children]) };
}

function select(
  as: string,
  field: FieldShape,
  node: FieldsNode,
  selecting: Selecting,
): SelectedField | SelectedRelation {
  const opened = node.children.size > 0;
  if (field.kind === 'column') {
    if (opened && !isStars(node)) {
      throw hidden(['fields', as], field.name, [...node.children.keys()][0]);
    }
    return { as, field };
  }
  if (field.kind === 'to-one' && !opened) return { as, field };
  return openRelation(as, field, node, selecting);
}

const isStars = (node: FieldsNode): boolean =>
  [...node.children.keys()].every((child) => child === '*');

function openRelation(
  as: string,
  field: ToOneShape | ToManyShape,
  node: FieldsNode,
  selecting: Selecting,
): SelectedRelation {
  const { setting, depth } = selecting;
  if (depth >= setting.limits.maxDepth) {
    throw malformed(['fields', as], `follows more than ${setting.limits.maxDepth} relations`);
  }
  setting.opened.add(as);
  const keysOnly = node.children.size === 0;
  const key = setting.shown.key(field.target);
  // A single row of a collection that the caller reads nothing of is not there: `place.*` names nothing and shows NULL.
  if (key === undefined && !(field.kind === 'to-one' && isStars(node))) {
    throw hidden(['fields', as], field.target, [...node.children.keys()][0]);
  }
  const fields = keysOnly && key !== undefined ? [key] : flatten(node);
  const inner = selecting.related(field.target, {
    ...deepParameters(selecting.deep.get(as)),
    fields,
  });
  return { as, field, query: inner, keysOnly };
}

const flatten = (node: FieldsNode): string[] =>
  [...node.children].flatMap(([name, child]) =>
    child.children.size === 0 ? [name] : flatten(child).map((rest) => `${name}.${rest}`),
  );
