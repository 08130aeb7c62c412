import {
  accessOf,
  type Action,
  type Caller,
  type CollectionShape,
  type Decision,
  type FieldShape,
  grantOf,
  isSent,
  isStored,
  mergePresets,
  namedFields,
  hasField,
  type Schema,
} from '../engine';

/** A field that the caller may read. */
export interface ReadableField {
  readonly field: FieldShape;
  /** It is null on rows where no rule grants it. */
  readonly masked: boolean;
}

/** A field that the caller may write. */
export interface WritableField {
  readonly field: FieldShape;
  /** Whether a create must send it. */
  readonly required: boolean;
  /** What is sent for it may be neither null nor empty, although the column takes that. */
  readonly nonEmpty?: true;
}

/** What the caller may do with a collection on some row, field by field; an absent action is not allowed. */
export interface CollectionRights {
  readonly collection: CollectionShape;
  readonly read?: readonly ReadableField[];
  /** They read every row of it. */
  readonly everyRow?: true;
  readonly create?: readonly WritableField[];
  readonly update?: readonly WritableField[];
  readonly delete?: true;
  /** The actions that are allowed only with a comment on what is changed, in the header `X-Comment`. */
  readonly explained?: readonly WritingAction[];
}

type WritingAction = (typeof WRITING_ACTIONS)[number];
const WRITING_ACTIONS = ['create', 'update', 'delete'] as const;

/** By collection; without those on which the caller may do nothing. */
export type Rights = ReadonlyMap<string, CollectionRights>;

interface RightsSource {
  readonly registry: Schema;
  /** The caller with the rights to a collection that they have beyond their rules. */
  withExtraRights(caller: Caller, collection: string): Caller;
  /** The fields that hooks of a collection require of what the caller creates. */
  requiredOf(caller: Caller, collection: string): readonly string[];
}

/** What a caller may do with each collection. */
export function rightsOf(caller: Caller, collections: RightsSource): Rights {
  const rights = new Map<string, CollectionRights>();
  // Until they have set up two-factor sign-in, all their requests are refused.
  if (caller.needsTfa) return rights;
  for (const collection of collections.registry.all()) {
    const { name } = collection;
    const granted = collectionRightsOf(collections.withExtraRights(caller, name), collection, () =>
      collections.requiredOf(caller, name),
    );
    if (Object.keys(granted).length > 1) rights.set(collection.name, granted);
  }
  return rights;
}

function collectionRightsOf(
  caller: Caller,
  collection: CollectionShape,
  requiredFields: () => readonly string[],
): CollectionRights {
  const decide = (action: Action): Decision | undefined =>
    caller.may(action, collection.name) ? caller.decide(action, collection.name) : undefined;
  const [read, create, update] = [decide('read'), decide('create'), decide('update')];
  const readable = read ? readableFields(collection, read) : [];
  const required = create ? requiredFields() : [];
  const explained = WRITING_ACTIONS.filter((action) => needsComment(decide(action)));
  const fieldsOf = (action: 'create' | 'update', decision: Decision) => ({
    [action]: writableFields(collection, { action, decision, readable, required }),
  });
  return {
    collection,
    ...(read && { read: readable }),
    ...(read && accessOf(read) === 'full' && { everyRow: true as const }),
    ...(create && !collection.view && fieldsOf('create', create)),
    ...(update && !collection.view && fieldsOf('update', update)),
    ...(decide('delete') && !collection.view && { delete: true as const }),
    ...(explained.length > 0 && { explained }),
  };
}

/** Where only some of the rules require a comment, it depends on the item and the fields. */
const needsComment = (decision: Decision | undefined): boolean =>
  decision?.unrestricted === false && decision.cases.every(({ explain }) => explain === true);

function readableFields({ fields, key }: CollectionShape, decision: Decision): ReadableField[] {
  const named = namedFields(decision);
  return [...fields.values()]
    .filter(({ name }) => name === key || hasField(named, name))
    .map((field) => ({
      field,
      masked: field.name !== key && grantOf(decision, field.name) !== 'always',
    }));
}

function writableFields(collection: CollectionShape, writing: Writing): WritableField[] {
  const { action, decision, required } = writing;
  const named = namedFields(decision);
  const presets = mergePresets(decision.cases);
  const isNonEmpty = ({ name }: FieldShape): boolean =>
    action === 'create' && required.includes(name);
  const isRequired = (field: FieldShape): boolean =>
    action === 'create' && !presets.has(field.name) && (isNeeded(field) || isNonEmpty(field));
  return [...collection.fields.values()]
    .filter((field) => isSent(field, action) || isOwnKey(field, collection, writing))
    .filter((field) => !isComputed(field) && !(action === 'update' && isFixedByCreate(field)))
    .filter((field) => hasField(named, field.name) || needsNoRule(field, collection, writing))
    .map((field) => ({
      field,
      required: isRequired(field),
      ...(isNonEmpty(field) && { nonEmpty: true as const }),
    }));
}

interface Writing {
  readonly action: 'create' | 'update';
  readonly decision: Decision;
  readonly readable: readonly ReadableField[];
  /** What hooks require of a create. */
  readonly required: readonly string[];
}

/** An update may repeat the key of its row. */
const isOwnKey = ({ name }: FieldShape, { key }: CollectionShape, { action }: Writing): boolean =>
  action === 'update' && name === key;

/** Fields of an update that need no rule: the row's key, and the version of it that was read. */
const needsNoRule = (field: FieldShape, collection: CollectionShape, writing: Writing): boolean =>
  isOwnKey(field, collection, writing) ||
  (isStored(field) &&
    field.filling === 'version' &&
    writing.readable.some((each) => each.field === field));

const isComputed = (field: FieldShape): boolean =>
  field.kind === 'column' && Boolean(field.computed);

/** A create sets it once and for all: no row is without a value that an update could fill in. */
const isFixedByCreate = (field: FieldShape): boolean =>
  isStored(field) && field.writable === 'once' && !field.nullable;

const isNeeded = (field: FieldShape): boolean =>
  field.kind !== 'to-many' && !field.nullable && !field.hasDefault;

/** Equal for two callers whose documents are equal. */
export const signatureOf = (rights: Rights): string =>
  JSON.stringify(
    [...rights.values()].map(({ collection, read, create, update, ...rest }) => [
      collection.name,
      read?.map(({ field, masked }) => (masked ? `?${field.name}` : field.name)),
      ...[create, update].map((fields) =>
        fields?.map(({ field, required, nonEmpty }) => [field.name, required, nonEmpty]),
      ),
      rest.everyRow,
      rest.delete,
      rest.explained,
    ]),
  );
