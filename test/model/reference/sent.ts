import { type Cell, isStored, type ToManyShape } from '../../../src/engine';
import { MASK } from '../pools';
import { fieldOf, tableOf } from '../tables';
import type { ModelRule, SentRow } from '../world';
import { byKey, type Tables } from './seen';
import { lists } from './virtual';

/** The payload of a row in parts: its own cells, objects instead of keys, and lists. */
export interface Parts {
  readonly cells: SentRow;
  readonly ones: readonly (readonly [field: string, sent: SentRow])[];
  readonly lists: readonly (readonly [field: ToManyShape, change: ListChange])[];
}

/** The changes to a list. */
export interface ListChange {
  /** Rows that will be in it. */
  readonly attach: readonly Cell[];
  /** Rows that will be in it, with values. */
  readonly update: readonly SentRow[];
  readonly create: readonly SentRow[];
  /** Rows of the junction, as objects. */
  readonly links: readonly SentRow[];
  /** Rows that will leave it: these, or all that are not named. */
  readonly leave: readonly Cell[] | 'others';
}

/** The mask of a concealed field is never a value: sent back, it counts as not sent. */
export function unmasked(sent: SentRow, collection: string, rules: readonly ModelRule[]): SentRow {
  const isMask = ([name, cell]: [string, Cell]): boolean =>
    cell === MASK &&
    fieldOf(collection, name).concealed &&
    // The caller does not learn that a field exists which they may not name.
    rules.some((rule) => lists(rule, name));
  return Object.fromEntries(Object.entries(sent).filter((entry) => !isMask(entry)));
}

/** Whether an object with a UUID and other values is a new row: the caller sees no row with that key. */
export const isNew = (sent: SentRow, collection: string, virtual: Tables): boolean =>
  tableOf(collection).keyType === 'uuid' &&
  Object.keys(sent).length > 1 &&
  !byKey(virtual, collection, sent['id'] ?? null);

export const isRow = (sent: Cell | undefined): sent is SentRow =>
  typeof sent === 'object' && sent !== null && !Array.isArray(sent);

export function partsOf(payload: SentRow, collection: string): Parts {
  const sent = Object.entries(payload).map(
    ([name, cell]) => [fieldOf(collection, name), cell] as const,
  );
  return {
    cells: Object.fromEntries(
      sent.flatMap(([field, cell]) =>
        isStored(field) && (field.kind === 'column' || !isRow(cell)) ? [[field.name, cell]] : [],
      ),
    ),
    ones: sent.flatMap(([field, cell]) =>
      field.kind === 'to-one' && isRow(cell) ? [[field.name, cell] as const] : [],
    ),
    lists: sent.flatMap(([field, cell]) =>
      field.kind === 'to-many' ? [[field, listChange(cell, field)] as const] : [],
    ),
  };
}

/** A list names all its future rows; `{create, update, delete}` names the changes. */
function listChange(sent: Cell, field: ToManyShape): ListChange {
  if (!isRow(sent)) return { ...sorted(membersOf(sent), field), leave: 'others' };
  const made = sorted(membersOf(sent['create']), field);
  const changed = sorted(membersOf(sent['update']), field);
  return {
    attach: [...made.keys, ...changed.attach],
    // An item in `create` is always inserted, even with an id.
    create: [...made.related, ...changed.create],
    update: changed.update,
    links: [...made.links, ...changed.links],
    leave: membersOf(sent['delete']),
  };
}

export const membersOf = (sent: Cell | undefined): readonly Cell[] =>
  Array.isArray(sent) ? (sent as readonly Cell[]) : [];

function sorted(sent: readonly Cell[], field: ToManyShape) {
  const members = sent.map((member) => linkedAlone(member, field) ?? member);
  const rows = members.filter(isRow);
  const links = rows.filter((row) => isLink(row, field));
  const related = rows.filter((row) => !isLink(row, field));
  const keyed = related.filter((row) => row['id'] !== undefined);
  const keys = members.filter((member) => !isRow(member));
  const alone = keyed.filter((row) => Object.keys(row).length === 1);
  return {
    keys,
    links,
    related,
    attach: members.flatMap((each) =>
      !isRow(each) ? [each] : alone.includes(each) ? [each['id'] ?? null] : [],
    ),
    update: keyed.filter((row) => !alone.includes(row)),
    create: related.filter((row) => row['id'] === undefined),
  };
}

/** A link that contains only its target means the same as the target's key. */
function linkedAlone(member: Cell, field: ToManyShape): Cell | undefined {
  if (!isRow(member) || !isLink(member, field) || Object.keys(member).length > 1) return undefined;
  const [far = null] = Object.values(member);
  return typeof far === 'object' ? undefined : far;
}

/** An object with a field of the junction is a link. */
const isLink = (row: SentRow, { through }: ToManyShape): boolean =>
  through !== undefined &&
  !tableOf(through.collection).implicit &&
  Object.hasOwn(row, through.targetForeignKey);
