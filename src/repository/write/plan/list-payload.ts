import { isStored, parseValue, type ToManyShape } from '../../../engine';
import { InvalidPayload } from '../../../common/errors';
import { isObject } from '../../../common/is-object';
import type { Key, Payload } from '../../write-context';
import type { StoredCollection } from '../../registry/stored-collection';
import { namedTwice } from './claims';
import { isPayload, MAX_ITEMS } from './selection-body';

/** A related row to update. */
export interface RelatedUpdate {
  readonly key: Key;
  readonly payload: Payload;
}

/** The requested changes of a list. */
export interface ListPayload {
  /** Rows that are to be in the list. */
  readonly attach: readonly Key[];
  readonly create: readonly Payload[];
  /** Rows that are to be in the list, with new values. */
  readonly update: readonly RelatedUpdate[];
  /** New rows of the junction itself. */
  readonly junctionRows: readonly Payload[];
  /** Rows to remove from the list; `others`: all that are not named. */
  readonly detach: readonly Key[] | 'others';
}

const CHANGES = ['create', 'update', 'delete'];

/**
 * Reads what was sent for a list: the rows it is to hold (keys, objects with a key, new objects), or `{create, update,
 * delete}`.
 * @param targetForeignKey the junction's field that refers to the related row, where the junction is a collection
 */
export function readList(
  sent: unknown,
  field: ToManyShape,
  target: StoredCollection,
  targetForeignKey: string | undefined,
): ListPayload {
  const sort = (members: readonly unknown[]) =>
    sortMembers(members, field.name, target, targetForeignKey);
  if (Array.isArray(sent)) {
    refuseLong(sent.length, field.name);
    return { ...sort(sent), detach: 'others' };
  }
  const { create, update, remove } = readChanges(sent, field.name);
  // An object under `create` is new, even with a key.
  const isNew = (member: unknown): member is Payload =>
    isPayload(member) && !isReference(member, target, targetForeignKey);
  const created = sort(create.filter((member) => !isNew(member)));
  const changed = sort(
    update.map((member) => ofExisting(member, field.name, target, targetForeignKey)),
  );
  const list = {
    attach: [...created.attach, ...changed.attach],
    create: create.filter(isNew),
    update: changed.update,
    junctionRows: [...created.junctionRows, ...changed.junctionRows],
    detach: remove.map((key) => readKey(key, target, field.name)),
  };
  const named = new Set([...list.attach, ...list.update.map(({ key }) => key)]);
  if (list.detach.some((key) => named.has(key))) throw namedTwice(target);
  return list;
}

function readChanges(sent: unknown, field: string) {
  const changes = asObject(sent, field, 'must be a list or {create, update, delete}');
  const unknown = Object.keys(changes).find((name) => !CHANGES.includes(name));
  if (unknown !== undefined) {
    throw new InvalidPayload({
      field: `${field}.${unknown}`,
      reason: 'is not create, update or delete',
    });
  }
  const [create, update, remove] = [
    asList(changes['create'], field),
    asList(changes['update'], field),
    asList(changes['delete'], field),
  ];
  refuseLong(create.length + update.length + remove.length, field);
  return { create, update, remove };
}

/** Called before anything is read about the members. */
function refuseLong(members: number, field: string): void {
  if (members <= MAX_ITEMS) return;
  throw new InvalidPayload({ field, reason: `must hold at most ${MAX_ITEMS} related items` });
}

function sortMembers(
  members: readonly unknown[],
  field: string,
  target: StoredCollection,
  targetForeignKey: string | undefined,
) {
  const sorted = {
    attach: [] as Key[],
    create: [] as Payload[],
    update: [] as RelatedUpdate[],
    junctionRows: [] as Payload[],
  };
  for (const member of members) {
    if (!isObject(member)) {
      sorted.attach.push(readKey(member, target, field));
      continue;
    }
    if (isReference(member, target, targetForeignKey)) {
      const key = keyAlone(member, targetForeignKey);
      if (key === undefined) sorted.junctionRows.push(member);
      else sorted.attach.push(readKey(key, target, field));
      continue;
    }
    const { key, payload } = readOne(member, target, field);
    if (key === undefined) sorted.create.push(payload);
    else if (Object.keys(payload).length === 0) sorted.attach.push(key);
    else sorted.update.push({ key, payload });
  }
  return sorted;
}

/** An entry of `update` is never a new row: it names its row, or as a junction's row the related one, by the key. */
function ofExisting(
  member: unknown,
  field: string,
  target: StoredCollection,
  targetForeignKey: string | undefined,
): unknown {
  if (!isPayload(member)) return member;
  const place = `${field}.update`;
  if (targetForeignKey === undefined || !isReference(member, target, targetForeignKey))
    return withKeyAt(place, member, target);
  const { [targetForeignKey]: related, ...others } = member;
  const at = `${place}.${targetForeignKey}`;
  if (related === null) throw new InvalidPayload({ field: at, reason: 'is missing' });
  if (!isPayload(related)) return member;
  const { [target.key]: key, ...values } = withKeyAt(at, related, target);
  if (Object.keys(others).length === 0) return related;
  if (Object.keys(values).length === 0) return { ...others, [targetForeignKey]: key };
  throw new InvalidPayload({ field: at, reason: 'must be a key beside other fields' });
}

function withKeyAt(place: string, row: Payload, { key }: StoredCollection): Payload {
  if (row[key] !== undefined) return row;
  throw new InvalidPayload({ field: `${place}.${key}`, reason: 'is missing' });
}

/** `{policy: id}` for a list of policies means the junction's row: the target has no such field. */
const isReference = (
  member: object,
  target: StoredCollection,
  targetForeignKey: string | undefined,
): member is Payload =>
  targetForeignKey !== undefined &&
  !target.fields.has(targetForeignKey) &&
  Object.hasOwn(member, targetForeignKey);

/** A junction row that names only the related row is that link: if it exists already, it stays as it is. */
function keyAlone(row: Payload, targetForeignKey: string | undefined): unknown {
  const [[name, key] = [], ...others] = Object.entries(row);
  const isKey = typeof key === 'string' || typeof key === 'number';
  return name === targetForeignKey && others.length === 0 && isKey ? key : undefined;
}

/** An object in place of a related row: the row's key, if it has one, and its other fields. */
export function readOne(
  sent: unknown,
  target: StoredCollection,
  field: string,
): { readonly key: Key | undefined; readonly payload: Payload } {
  const { [target.key]: key, ...payload } = asObject(sent, field, 'must be a key or an object');
  return { key: key === undefined ? undefined : readKey(key, target, field), payload };
}

function readKey(sent: unknown, target: StoredCollection, field: string): Key {
  const key = target.fields.get(target.key);
  const parsed = key && isStored(key) ? parseValue(key, sent) : undefined;
  if (sent === '') throw new InvalidPayload({ field, reason: 'holds a key that is empty' });
  if (!parsed || 'misfit' in parsed) {
    throw new InvalidPayload({
      field,
      reason: `holds a key that ${parsed?.reason ?? 'is not valid'}`,
    });
  }
  return parsed.value as Key;
}

function asObject(sent: unknown, field: string, reason: string): Payload {
  if (isPayload(sent)) return sent;
  throw new InvalidPayload({ field, reason });
}

function asList(sent: unknown, field: string): readonly unknown[] {
  if (sent === undefined) return [];
  if (Array.isArray(sent)) return sent;
  throw new InvalidPayload({ field, reason: 'must hold lists under create, update and delete' });
}
