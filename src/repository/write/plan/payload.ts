import {
  type Cell,
  type Decision,
  type FieldShape,
  isNamed,
  isStored,
  isWritable,
  type Value,
} from '../../../engine';
import {
  AppError,
  Forbidden,
  InvalidPayload,
  MAX_FAULTS,
  throwIfAny,
} from '../../../common/errors';
import { inTurns } from '../../../common/next-turn';
import { isObject, isRecord } from '../../../common/is-object';
import { CONCEALED } from '../../compile/compile-cell';
import type { Key, Payload, Values } from '../../write-context';
import type { StoredCollection } from '../../registry/stored-collection';
import type { CollectionWrite } from '../collection-write';
import { checkValue, refusedValue } from './check-value';
import { ROWS_PER_TURN } from './plan';
import { parseKey } from '../../registry/parse-key';
import { conflictsIn } from '../store/shared-columns';

/** A payload whose fields exist, may be named and hold values of their type. */
export interface CheckedPayload {
  readonly values: Values;
  /** Payloads for related rows beyond keys: lists, and objects in place of a key; by field. */
  readonly relations: ReadonlyMap<string, unknown>;
  /** For an update: the version of the row that the sender read. */
  readonly version?: Value;
}

/** Every field that the payload sets. */
export const fieldsOf = ({ values, relations }: CheckedPayload): string[] => [
  ...values.keys(),
  ...relations.keys(),
];

/**
 * Checks a payload against the fields that the decision names, their types and their writers. All names are checked
 * first: errors about other fields must not reveal a hidden one.
 */
export async function checkPayload(
  raw: unknown,
  scope: Pick<CollectionWrite, 'collection' | 'decision' | 'caller'>,
): Promise<CheckedPayload> {
  const { collection, decision } = scope;
  const payload = asPayload(raw, collection, decision);
  const names = Object.keys(payload);
  const fields = names.map((name) => nameField(name, scope));
  const faults: AppError[] = [];
  const checked = new Sorted();
  const adding = inTurns(names, ROWS_PER_TURN, (name, index) => {
    if (faults.length === MAX_FAULTS) return;
    const field = fields[index];
    const fault = field ? checked.add(field, payload[name], scope) : unknownField(name, collection);
    if (fault) faults.push(fault);
  });
  if (adding) await adding;
  throwIfAny([...faults, ...conflictsIn(checked, collection)]);
  return checked;
}

const NO_RELATIONS: ReadonlyMap<string, unknown> = new Map();

/** A payload, sorted by how each part is processed. */
class Sorted implements CheckedPayload {
  readonly values = new Map<string, Cell>();
  /** Of a thousand payloads most have none. */
  relations: CheckedPayload['relations'] = NO_RELATIONS;
  version?: Value;

  add(
    field: FieldShape,
    sent: unknown,
    { collection, decision }: Pick<CollectionWrite, 'collection' | 'decision'>,
  ): AppError | undefined {
    const refused = refusedValue(sent, field, collection);
    if (refused) return refused;
    const isVersion = isReadVersion(field, decision);
    if (!isVersion && !isWritable(field)) return unwritable(field.name);
    const isRelated = field.kind === 'to-one' && isObject(sent);
    if (!isStored(field) || isRelated) {
      this.relations = new Map([...this.relations, [field.name, sent]]);
      return undefined;
    }
    const checked = checkValue(sent, field, collection);
    if (checked instanceof AppError) return checked;
    if (!isVersion) this.values.set(field.name, checked);
    else if (checked === null) return new InvalidPayload({ field: field.name, reason: 'is null' });
    else this.version = checked;
    return undefined;
  }
}

const unwritable = (field: string): AppError =>
  new InvalidPayload({ field, reason: 'is read-only' });

/** @throws InvalidPayload where a foreign key that is to be filled in cannot be set by clients */
export function refuseUnwritable({ fields }: StoredCollection, linked: readonly string[]): void {
  for (const name of linked) {
    const field = fields.get(name);
    if (field && !isWritable(field)) throw unwritable(name);
  }
}

/** @throws Forbidden, or InvalidPayload, where the decision does not name one of them */
export function requireNamed(
  names: readonly string[],
  scope: Pick<CollectionWrite, 'collection' | 'decision' | 'caller'>,
): void {
  for (const name of names) if (!nameField(name, scope)) throw unknownField(name, scope.collection);
}

const unknownField = (field: string, { name }: StoredCollection): AppError =>
  new InvalidPayload({ field, reason: `is no field of ${name}` });

/** An update may state which version of the row it is made for. */
const isReadVersion = (field: FieldShape, { action }: Decision): boolean =>
  isStored(field) && field.filling === 'version' && action === 'update';

/**
 * A payload as an object of fields. The mask of a concealed field is never a value: sent back, it leaves the field
 * unchanged. A field that the caller may not name stays, and is refused like one that does not exist.
 */
export function asPayload(raw: unknown, collection: StoredCollection, decision: Decision): Payload {
  if (!isRecord(raw)) {
    throw new InvalidPayload({ reason: 'the body must be an object of fields' });
  }
  const payload: Payload = raw;
  const isMask = (name: string): boolean =>
    payload[name] === CONCEALED &&
    collection.fields.get(name)?.concealed === true &&
    isNamed(decision, name);
  if (!Object.keys(payload).some(isMask)) return payload;
  return Object.fromEntries(Object.entries(payload).filter(([name]) => !isMask(name)));
}

/**
 * @returns undefined where there is no such field, and the caller may know it
 * @throws Forbidden where the decision does not name it
 */
function nameField(
  name: string,
  { collection, decision, caller }: Pick<CollectionWrite, 'collection' | 'decision' | 'caller'>,
): FieldShape | undefined {
  const field = collection.fields.get(name);
  if (field && isNamed(decision, name)) return field;
  // The version is not written; it only states what the caller has read.
  if (field && isReadVersion(field, decision) && caller.readable.field(collection.name, name)) {
    return field;
  }
  if (decision.unrestricted) return undefined;
  throw new Forbidden({ collection: collection.name, field: name });
}

/** A payload may contain the key of its own row, in any form that a key is sent in; a key never changes. */
export function withoutKey(
  payload: Payload,
  keys: readonly Key[],
  collection: StoredCollection,
): Payload {
  const { key } = collection;
  if (!Object.hasOwn(payload, key)) return payload;
  const { [key]: sent, ...rest } = payload;
  if (keys.length === 1 && parseKey(collection, sent) === keys[0]) return rest;
  throw new InvalidPayload({ field: key, reason: 'cannot be changed' });
}
