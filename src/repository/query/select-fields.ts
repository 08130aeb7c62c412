import {
  type FieldShape,
  hidden,
  isStored,
  malformed,
  type ToManyShape,
  type ToOneShape,
} from '../../engine';
import { tooDeep } from './parse-fields';
import { type QuerySetting, settingBelow } from './query-setting';
import type { RowQuery, SelectedField, SelectedRelation } from './query';
import type { FieldSelection } from './field-selection';

const MAX_NAMES = 20;

type Shown = QuerySetting['shown'];

interface Selecting {
  readonly setting: QuerySetting;
  readonly depth: number;
  readonly related: (target: string, inner: FieldSelection) => RowQuery;
}

interface Selected {
  readonly fields: SelectedField[];
  readonly relations: SelectedRelation[];
}

type SelectedOne = SelectedField | SelectedRelation;

/**
 * Looks up what is asked for of each row. The star is every column that may be shown; a relation is opened where
 * something below it is asked for. Of a list that is not opened the keys are shown.
 */
export function selectFields(
  selection: FieldSelection,
  collection: string,
  selecting: Selecting,
): Selected {
  const { shown } = selecting.setting;
  const all = selection.opened
    ? [...wishedFields(selection, collection, shown)].map(([as, field]) =>
        select({ as, field, collection }, selection.mergedAt(as), selecting),
      )
    : keyField(collection, shown);
  refuseHidden(selection, collection, shown);
  refuseUnopened(selection, all);
  refuseRepeated(all);
  return {
    fields: all.filter((each): each is SelectedField => !('query' in each)),
    relations: all.filter((each): each is SelectedRelation => 'query' in each),
  };
}

/** By the names that they are shown under; a name that is asked for replaces what the star gives under it. */
function wishedFields(
  selection: FieldSelection,
  collection: string,
  shown: Shown,
): ReadonlyMap<string, FieldShape> {
  const { star } = selection;
  const found = new Map(
    (star ? shown.fields(collection) : [])
      .filter((field) => isStored(field) || (star?.opened && shown.key(field.target)))
      .map((field) => [field.name, field]),
  );
  for (const as of selection.wished) {
    const name = selection.fieldOf(as);
    const field = shown.field(collection, name);
    if (!field) throw hidden(['fields', as], collection, name);
    found.set(as, field);
  }
  return found;
}

/** Where nothing of the collection may be read there is no key to show, and no row that would have one. */
function keyField(collection: string, shown: Shown): SelectedField[] {
  const key = shown.field(collection, shown.key(collection) ?? '');
  return key && isStored(key) ? [{ as: key.name, field: key }] : [];
}

/** `deep` and `alias` may name only what the caller may see. */
function refuseHidden(selection: FieldSelection, collection: string, shown: Shown): void {
  for (const [as, name] of selection.aliases) {
    if (!shown.field(collection, name)) throw hidden(['alias', as], collection, name);
  }
  for (const as of selection.queried) {
    const name = selection.fieldOf(as);
    if (!shown.field(collection, name)) throw hidden(['deep', as], collection, name);
  }
}

/** `deep` may speak only of relations that are opened. */
function refuseUnopened(selection: FieldSelection, selected: readonly SelectedOne[]): void {
  if (selection.queried.size === 0) return;
  const opened = new Set(selected.flatMap((each) => ('query' in each ? [each.as] : [])));
  for (const as of selection.queried) {
    if (!opened.has(as)) throw malformed(['deep', as], 'is no relation that fields opens');
  }
}

/** Every name that a field is shown under repeats its value, however long that is. */
function refuseRepeated(selected: readonly SelectedOne[]): void {
  if (selected.length <= MAX_NAMES) return;
  const names = new Map<string, number>();
  for (const { field } of selected) {
    const count = (names.get(field.name) ?? 0) + 1;
    if (count > MAX_NAMES) {
      throw malformed(['fields', field.name], `must have at most ${MAX_NAMES} names`);
    }
    names.set(field.name, count);
  }
}

interface Wished {
  readonly as: string;
  readonly field: FieldShape;
  readonly collection: string;
}

function select(
  { as, field, collection }: Wished,
  selection: FieldSelection,
  selecting: Selecting,
): SelectedOne {
  if (field.kind === 'column') {
    const [first] = selection.wished;
    if (first !== undefined) throw hidden(['fields', as], collection, `${field.name}.${first}`);
    return { as, field };
  }
  if (field.kind === 'to-one' && !selection.opened) return { as, field };
  return openRelation(as, field, selection, selecting);
}

/** A target that the caller reads nothing of has no rows: NULL or an empty list, unless a field of it is named. */
function openRelation(
  as: string,
  field: ToOneShape | ToManyShape,
  selection: FieldSelection,
  { setting, depth, related }: Selecting,
): SelectedRelation {
  const { limits, opened } = setting;
  const { shown } = settingBelow(setting, selection);
  if (depth >= limits.maxDepth) throw tooDeep(['fields', as], limits.maxDepth);
  opened.add(as);
  const [first] = selection.wished;
  if (first !== undefined && shown.key(field.target) === undefined) {
    throw hidden(['fields', as], field.target, first);
  }
  return { as, field, query: related(field.target, selection), keysOnly: !selection.opened };
}
