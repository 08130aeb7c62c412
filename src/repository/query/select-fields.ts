import {
  type FieldExpression,
  functionInputs,
  hidden,
  isStored,
  malformed,
  parseCall,
  type ToManyShape,
  type ToOneShape,
} from '../../engine';
import { readBelow } from './fault-place';
import { tooDeep } from './parse-fields';
import { parseExpression } from './parse-sort';
import { type QuerySetting, settingBelow, type Shown } from './query-setting';
import type { RowQuery, SelectedField, SelectedRelation } from './query';
import type { FieldSelection } from './field-selection';

const MAX_NAMES = 20;
/** As many as a table may have columns; a statement returns hardly more. */
const MAX_COLUMNS = 1_600;

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

/** A requested field, looked up. */
interface Requested extends FieldExpression {
  /** The name that it is shown under. */
  readonly as: string;
  /** The name that it was requested by. */
  readonly name: string;
}

/**
 * Looks up what is requested of each row. The star means every column that may be shown; a relation is opened where
 * something below it is requested. A list that is not opened shows its keys.
 */
export function selectFields(
  selection: FieldSelection,
  collection: string,
  selecting: Selecting,
): Selected {
  const { shown } = selecting.setting;
  const all = selection.opened
    ? [...requestedFields(selection, collection, shown)].map((requested) =>
        select(requested, collection, selection, selecting),
      )
    : keyField(collection, shown);
  refuseHidden(selection, collection, shown);
  refuseUnopened(selection, all);
  refuseRepeated(all);
  refuseWide(all, selection);
  return {
    fields: all.filter((each): each is SelectedField => !('query' in each)),
    relations: all.filter((each): each is SelectedRelation => 'query' in each),
  };
}

/**
 * By the names that they are shown under; a named field replaces the one that the star gives under the same name. With
 * the star, fields that have an alias are shown under both names.
 */
function requestedFields(
  selection: FieldSelection,
  collection: string,
  shown: Shown,
): Iterable<Requested> {
  const { star } = selection;
  const found = new Map<string, Requested>(
    (star ? shown.fields(collection) : [])
      .filter((field) => isStored(field) || (star?.opened && shown.key(field.target)))
      .map((field) => [field.name, { as: field.name, name: field.name, field, fn: null }]),
  );
  const shownNames = new Set<string>();
  const { requested: named, aliases } = selection;
  for (const name of star ? new Set([...named, ...aliases.keys()]) : named) {
    const requested = lookUp(name, selection.fieldOf(name), collection, shown);
    const { as } = requested;
    if (shownNames.has(as))
      throw malformed(['fields', name], `would be shown as ${as}, like another field`);
    found.set(as, requested);
    shownNames.add(as);
  }
  return found.values();
}

/** A field, or a function of one, which is shown as `published_at_year` unless it has an alias. */
function lookUp(name: string, text: string, collection: string, shown: Shown): Requested {
  const path = ['fields', name];
  if (parseCall(text)) {
    const { field, fn } = parseExpression(text, collection, shown.comparable, path);
    return { name, field, fn, as: name === text ? `${field.name}_${fn}` : name };
  }
  const field = shown.field(collection, text);
  if (!field) throw hidden(path, collection, text);
  return { name, field, fn: null, as: name };
}

/** Where the caller cannot read the collection there is no key to show, and no row that would have one. */
function keyField(collection: string, shown: Shown): SelectedField[] {
  const key = shown.field(collection, shown.key(collection) ?? '');
  return key && isStored(key) ? [{ as: key.name, field: key, fn: null }] : [];
}

/** `deep` and `alias` may name only what the caller may see. */
function refuseHidden(selection: FieldSelection, collection: string, shown: Shown): void {
  for (const [as, name] of selection.aliases) {
    if (parseCall(name)) parseExpression(name, collection, shown.comparable, ['alias', as]);
    else if (!shown.field(collection, name)) throw hidden(['alias', as], collection, name);
  }
  for (const as of selection.queried) {
    const name = selection.fieldOf(as);
    if (!shown.field(collection, name)) throw hidden(['deep', as], collection, name);
  }
}

/** `deep` may only refer to relations that are opened. */
function refuseUnopened(selection: FieldSelection, selected: readonly SelectedOne[]): void {
  if (selection.queried.size === 0) return;
  const opened = new Set(selected.flatMap((each) => ('query' in each ? [each.as] : [])));
  for (const as of selection.queried) {
    if (!opened.has(as)) throw malformed(['deep', as], 'is not a relation that fields opens');
  }
}

/** Every alias of a field repeats its value, however long that is. */
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

/** What functions read is selected in addition to what is shown. */
function refuseWide(selected: readonly SelectedOne[], { aliases }: FieldSelection): void {
  const inputs = new Set(selected.flatMap(({ field }) => functionInputs(field) ?? []));
  if (selected.length + inputs.size <= MAX_COLUMNS) return;
  const place = aliases.size > 0 ? 'alias' : 'fields';
  throw malformed([place], `asks for more than ${MAX_COLUMNS} values of a row`);
}

function select(
  { as, name, field, fn }: Requested,
  collection: string,
  above: FieldSelection,
  selecting: Selecting,
): SelectedOne {
  if (fn !== null || field.kind === 'column') {
    // What the star asks for below relations does not concern columns.
    const [first] = above.namedAt(name)?.requested ?? [];
    if (first !== undefined) throw hidden(['fields', name], collection, `${field.name}.${first}`);
  }
  if (fn !== null) {
    if (field.kind === 'to-many') selecting.setting.opened.addSize(name);
    return { as, field, fn };
  }
  if (field.kind === 'column') return { as, field, fn };
  const selection = above.mergedAt(name);
  if (field.kind === 'to-one' && !selection.opened) return { as, field, fn };
  return openRelation(as, field, selection, selecting);
}

/** A target that the caller cannot read has no rows: NULL or an empty list, unless a field of it is named. */
function openRelation(
  as: string,
  field: ToOneShape | ToManyShape,
  selection: FieldSelection,
  { setting, depth, related }: Selecting,
): SelectedRelation {
  const { limits, opened } = setting;
  const { shown } = settingBelow(setting, selection);
  const name = selection.written ?? as;
  if (depth >= limits.maxDepth) throw tooDeep(['fields', name], limits.maxDepth);
  opened.add(name);
  const [first] = selection.requested;
  if (first !== undefined && shown.key(field.target) === undefined) {
    throw hidden(['fields', as], field.target, first);
  }
  const query = readBelow(as, selection, () => related(field.target, selection));
  return { as, field, query, keysOnly: !selection.opened };
}
