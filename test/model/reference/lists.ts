import { type Cell, isStored, type JunctionShape, type ToManyShape } from '../../../src/engine';
import { fieldOf, tableOf } from '../tables';
import type { SentRow, StoredRow } from '../world';
import { byKey, rowsOf, type Tables } from './seen';
import { isNew, type ListChange } from './sent';

/** A row of a list, and the row with the link: that of the junction, or the row itself. */
export interface Link {
  readonly target: Cell;
  readonly link: Cell;
}

/** The visible rows of a parent's list, whether the parent is visible or not. */
export function linksOf(tables: Tables, parent: Cell, field: ToManyShape): readonly Link[] {
  const { target, foreignKey = '', through } = field;
  if (!through)
    return rowsOf(tables, target)
      .filter(({ cells }) => cells[foreignKey] === parent)
      .map(({ key }) => ({ target: key, link: key }));
  return rowsOf(tables, through.collection)
    .filter(({ cells }) => cells[through.foreignKey] === parent)
    .map(({ key, cells }) => ({ target: cells[through.targetForeignKey] ?? null, link: key }))
    .filter((link) => byKey(tables, target, link.target));
}

/** What a list needs from its request. */
interface Rows {
  readonly virtual: Tables;
  refuse(code: string): void;
  create(collection: string, payload: SentRow, link?: SentRow): Cell;
  update(collection: string, key: Cell, payload: SentRow, link?: SentRow): void;
  delete(collection: string, keys: readonly Cell[]): void;
  stored(collection: string): readonly StoredRow[];
  store(collection: string, rows: readonly StoredRow[]): void;
  /** Refuses rows that the request moves to another list. */
  keep(collection: string, keys: readonly Cell[], foreignKey: string): void;
}

/** @param links the rows of the list that the caller sees */
export function writeList(
  request: Rows,
  field: ToManyShape,
  sent: ListChange,
  parent: Cell,
  links: readonly Link[],
): void {
  const change = withNew(sent, field, request.virtual);
  const named = [...change.attach, ...change.update.map((row) => row['id'] ?? null)];
  const isListed = (key: Cell): boolean => links.some(({ target }) => target === key);
  const leave = change.leave;
  if (leave !== 'others' && leave.some((key) => named.includes(key)))
    request.refuse('INVALID_PAYLOAD');
  if (leave !== 'others' && !leave.every(isListed)) request.refuse('FORBIDDEN');
  const writing: Writing = {
    ...{ request, field, parent },
    leaving:
      leave === 'others'
        ? links.filter(({ target }) => !named.includes(target))
        : leave.flatMap((key) => links.filter(({ target }) => target === key)),
    joining: [...new Set(named.filter((key) => !isListed(key)))],
    change,
  };
  if (!field.through) writeChildren(writing);
  else if (tableOf(field.through.collection).implicit) writeMarks(writing, field.through);
  else writeJunction(writing, field.through);
}

/** A complete list may contain new rows with their keys. */
function withNew(sent: ListChange, { target }: ToManyShape, virtual: Tables): ListChange {
  if (sent.leave !== 'others') return sent;
  const made = sent.update.filter((row) => isNew(row, target, virtual));
  return {
    ...sent,
    update: sent.update.filter((row) => !made.includes(row)),
    create: [...sent.create, ...made],
  };
}

interface Writing {
  readonly request: Rows;
  readonly field: ToManyShape;
  readonly parent: Cell;
  readonly leaving: readonly Link[];
  /** Keys that are not in the list yet. */
  readonly joining: readonly Cell[];
  readonly change: ListChange;
}

/** The related rows have the parent's key; a row that requires a parent is deleted when it leaves. */
function writeChildren({ request, field, parent, leaving, joining, change }: Writing): void {
  const { target, foreignKey = '' } = field;
  const key = fieldOf(target, foreignKey);
  const left = leaving.map((link) => link.target);
  if (!isStored(key) || !key.nullable) request.delete(target, left);
  else for (const each of left) request.update(target, each, { [foreignKey]: null });
  // The caller must see a row to change it or to link it.
  if (!joining.every(isSeen(request, target))) return request.refuse('INVALID_FOREIGN_KEY');
  const isJoining = (key: Cell): boolean => joining.includes(key);
  const changed = change.update.map((row) => row['id'] ?? null);
  const kept = change.attach.filter((key) => !isJoining(key) && !changed.includes(key));
  request.keep(target, kept, foreignKey);
  updateAll(
    request,
    target,
    change.update.filter(({ id = null }) => !isJoining(id)),
  );
  for (const key of joining.filter((each) => !changed.includes(each)))
    request.update(target, key, {}, { [foreignKey]: parent });
  for (const { id = null, ...payload } of change.update)
    if (isJoining(id)) request.update(target, id, payload, { [foreignKey]: parent });
  for (const row of change.create) request.create(target, row, { [foreignKey]: parent });
}

const isSeen =
  ({ virtual }: Rows, collection: string) =>
  (key: Cell): boolean =>
    byKey(virtual, collection, key) !== undefined;

/** The junction's rows are the links. */
function writeJunction(
  { request, field, parent, leaving, joining, change }: Writing,
  { collection, foreignKey, targetForeignKey }: JunctionShape,
): void {
  request.delete(
    collection,
    leaving.map(({ link }) => link),
  );
  const updated = change.update.map((row) => row['id'] ?? null);
  const isLost = (key: Cell): boolean =>
    updated.includes(key) && !isSeen(request, field.target)(key);
  if (joining.some(isLost)) return request.refuse('INVALID_FOREIGN_KEY');
  updateAll(request, field.target, change.update);
  const links = [...joining.map((key): SentRow => ({ [targetForeignKey]: key })), ...change.links];
  for (const link of links) request.create(collection, link, { [foreignKey]: parent });
  for (const row of change.create) {
    const made = request.create(field.target, row);
    request.create(collection, {}, { [foreignKey]: parent, [targetForeignKey]: made });
  }
}

/** No rule can name the junction: a caller who may write the list may link the rows that they see. */
function writeMarks(
  { request, field, parent, leaving, joining, change }: Writing,
  { collection, foreignKey, targetForeignKey }: JunctionShape,
): void {
  if (!joining.every(isSeen(request, field.target))) request.refuse('INVALID_FOREIGN_KEY');
  updateAll(request, field.target, change.update);
  const made = change.create.map((row) => request.create(field.target, row));
  const left = leaving.map(({ target }) => target);
  const kept = request
    .stored(collection)
    .filter((row) => row[foreignKey] !== parent || !left.includes(row[targetForeignKey] ?? null));
  const added = [...joining, ...made].map((key) => ({
    [foreignKey]: parent,
    [targetForeignKey]: key,
  }));
  request.store(collection, [...kept, ...added]);
}

function updateAll(request: Rows, collection: string, rows: readonly SentRow[]): void {
  for (const { id = null, ...payload } of rows) request.update(collection, id, payload);
}
