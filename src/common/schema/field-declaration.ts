import 'reflect-metadata';
import type { Cell, Filling, Limits, ScalarType } from '../../engine';
import { isObject } from '../is-object';

type Entity = abstract new () => object;
export type EntityClass = new () => object;
export type EntityReference = () => EntityClass;
/**
 * The entity class of a collection, or the collection's name, which needs no import: two entities can refer to each
 * other.
 */
export type TargetReference = EntityReference | string;

export type WritingOption = 'readOnly' | 'writeOnce' | Filling;

interface CommonDeclaration {
  /** For fields of users: everyone is shown their own at `/users/me`, whatever the rules say. */
  readonly ownProfile?: true;
  /** No rule grants it; only administrators see and name it. */
  readonly adminOnly?: true;
  /** Options about who writes the field. At most one is valid; without any, the rules decide. */
  readonly writing?: readonly WritingOption[];
  readonly limits?: Limits;
}

/** What a field decorator declares beyond the column; each exposed property has one. */
export type FieldDeclaration = CommonDeclaration & FieldKind;

type FieldKind =
  | {
      readonly kind: 'column';
      readonly type: ScalarType;
      readonly concealed: boolean;
      readonly choices?: readonly string[];
      readonly element?: Exclude<ScalarType, 'array' | 'json'>;
      readonly key: boolean;
      readonly filled: boolean;
    }
  | ({ readonly kind: 'computed' } & Computed)
  | {
      readonly kind: 'to-one';
      readonly target: TargetReference;
      readonly filled: boolean;
      readonly index?: false;
    }
  | { readonly kind: 'one-to-many'; readonly target: TargetReference; readonly foreignKey: string }
  | {
      readonly kind: 'many-to-many';
      readonly target: TargetReference;
      readonly junction?: Junction;
    };

/** The types that a computed field can have. */
export type ComputedType = Exclude<ScalarType, 'enum' | 'array'>;

/** A field that is computed from others of the same item: by `sql` or by `value`. */
export interface Computed {
  readonly type: ComputedType;
  readonly from: readonly string[];
  /** An SQL expression of the columns: `` (column) => `${column('price')} * ${column('qty')}` ``. */
  readonly sql?: (column: (field: string) => string) => string;
  /** A function of their values, as they are shown; null and undefined are null. */
  readonly value?: (item: Readonly<Record<string, Cell>>) => unknown;
}

/** A many-to-many relation through an entity: that entity's collection, and its two foreign keys. */
export interface Junction {
  readonly collection: TargetReference;
  /** The field that refers to the collection with the list. */
  readonly near: string;
  /** The field that refers to the collection of the related rows. */
  readonly far: string;
}

/**
 * Declares that the rows of a collection concern rows of other collections, like log entries and comments. Except to
 * administrators, such a row is visible only where the other row is.
 */
export interface About {
  /** The field with the name of the other collection, and the field with the key of its row, as text. */
  readonly collection: string;
  readonly item: string;
  /**
   * Fields with parts of the other row: lists of field names, or objects of values by field. They are reduced to what
   * the caller may read of it now, and only administrators may filter, sort or group by them.
   */
  readonly parts: readonly string[];
  /**
   * Which values of the field `action` begin and end the life of a row. Rows older than the latest of these concern an
   * earlier row with the same key.
   */
  readonly life?: { readonly action: string; readonly begins: string; readonly ends: string };
}

interface CollectionDeclaration {
  /** The collection is read-only, since it is a view. */
  readonly view?: true;
  /** The table is not ours: no migration is written for it. */
  readonly existing?: true;
  /** Undefined: the name of the table. */
  readonly name?: string;
  readonly singleton: boolean;
  readonly about?: About;
}

const FIELDS = Symbol('doorward:fields');
const TWICE = Symbol('doorward:declared-twice');
const COLLECTION = Symbol('doorward:collection');

/** A function, where a declaration can be made only after all decorators of the class have run. */
type Declared = FieldDeclaration | (() => FieldDeclaration);

const declaredIn = (prototype: object): Map<string, Declared> | undefined =>
  Reflect.getOwnMetadata(FIELDS, prototype) as Map<string, Declared> | undefined;

/** Declares a property as exposed; properties without a declaration stay private to the entity. */
export function declareField(prototype: object, property: string, declaration: Declared): void {
  const known = declaredIn(prototype) ?? new Map<string, Declared>();
  if (known.has(property)) {
    Reflect.defineMetadata(TWICE, [...declaredTwice(prototype), property], prototype);
  }
  known.set(property, declaration);
  Reflect.defineMetadata(FIELDS, known, prototype);
}

/** Properties with two declarations: a mistake, reported when the entity is registered. */
export const declaredTwice = (prototype: object): readonly string[] =>
  (Reflect.getOwnMetadata(TWICE, prototype) ?? []) as readonly string[];

/** Whether a property is exposed; its declaration is not read. */
export const isExposed = (entity: Entity, property: string): boolean =>
  prototypesOf(entity).some((prototype) => declaredIn(prototype)?.has(property));

function prototypesOf(entity: Entity): object[] {
  const chain: object[] = [];
  for (
    let at: unknown = entity.prototype;
    isObject(at) && at !== Object.prototype;
    at = Object.getPrototypeOf(at)
  ) {
    chain.unshift(at);
  }
  return chain;
}

/** The exposed properties of an entity, those of its base classes first. */
export function declaredFields(entity: Entity): ReadonlyMap<string, FieldDeclaration> {
  const found = new Map<string, FieldDeclaration>();
  for (const prototype of prototypesOf(entity)) {
    const own = declaredIn(prototype);
    for (const [name, declared] of own ?? []) {
      const declaration = typeof declared === 'function' ? declared() : declared;
      own?.set(name, declaration);
      found.set(name, declaration);
    }
  }
  return found;
}

/** The field with the time of deletion, if deleted rows are kept. */
export const deletedAtOf = (entity: Entity): string | undefined =>
  deletedAtFields(declaredFields(entity))[0];

export const deletedAtFields = (fields: ReadonlyMap<string, FieldDeclaration>): string[] =>
  [...fields].flatMap(([name, declaration]) =>
    declaration.writing?.includes('deletedAt') ? [name] : [],
  );

export function declareCollection(entity: Entity, declaration: CollectionDeclaration): void {
  Reflect.defineMetadata(COLLECTION, declaration, entity);
}

export const collectionOf = (entity: Entity): CollectionDeclaration =>
  (Reflect.getMetadata(COLLECTION, entity) as CollectionDeclaration | undefined) ?? {
    singleton: false,
  };
