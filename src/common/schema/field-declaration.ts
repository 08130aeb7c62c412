import 'reflect-metadata';
import type { Cell, Filling, Limits, ScalarType } from '../../engine';

type Entity = abstract new () => object;
export type EntityClass = new () => object;
export type EntityReference = () => EntityClass;
/** An entity, or the name of a collection: a name lets two entities speak of each other without importing. */
export type TargetReference = EntityReference | string;

export type WritingOption = 'readOnly' | 'writeOnce' | Filling;

interface Said {
  /** Of a user: everybody is shown their own at `/users/me`, whatever the rules say. */
  readonly ownProfile?: true;
  /** The options that say who writes it, of which it can have one; none: whoever the rules allow to. */
  readonly writing?: readonly WritingOption[];
  readonly limits?: Limits;
}

/** What the field decorators say beyond the column: one declaration per exposed property. */
export type FieldDeclaration = Said & FieldKind;

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

/** The types that a field which no column holds can have. */
export type ComputedType = Exclude<ScalarType, 'enum' | 'array'>;

/** A field that is made of others of the same item, by one of the two. */
export interface Computed {
  readonly type: ComputedType;
  readonly from: readonly string[];
  /** An SQL expression of the columns: `` (column) => `${column('price')} * ${column('qty')}` ``. */
  readonly sql?: (column: (field: string) => string) => string;
  /** A function of their values, as they are shown; null and undefined are null. */
  readonly value?: (item: Readonly<Record<string, Cell>>) => unknown;
}

/** A many-to-many through an entity of its own: that entity, and its two foreign keys. */
export interface Junction {
  readonly collection: TargetReference;
  readonly near: string;
  readonly far: string;
}

/**
 * Rows that are about rows of other collections, as entries of a log and comments are. To who is no administrator they
 * are there where the other row is.
 */
export interface About {
  /** The field that names the other collection, and the one that holds the key there, as text. */
  readonly collection: string;
  readonly item: string;
  /**
   * Fields that hold parts of the other row: names of fields, or values by field. They show what may be read of it now,
   * and nobody but an administrator filters, sorts or groups by them.
   */
  readonly parts: readonly string[];
  /** How a row begins and ends: what is older than the latest of these is about another row of the same key. */
  readonly life?: { readonly action: string; readonly begins: string; readonly ends: string };
}

export interface CollectionDeclaration {
  /** It is only read. */
  readonly view?: true;
  /** Undefined: the table's. */
  readonly name?: string;
  readonly singleton: boolean;
  readonly about?: About;
}

const FIELDS = Symbol('doorward:fields');
const TWICE = Symbol('doorward:declared-twice');
const COLLECTION = Symbol('doorward:collection');

/** What can be said only when all decorators of a class have run. */
type Declared = FieldDeclaration | (() => FieldDeclaration);

const declaredIn = (prototype: object): Map<string, Declared> | undefined =>
  Reflect.getOwnMetadata(FIELDS, prototype) as Map<string, Declared> | undefined;

/** Notes that a property is exposed; properties without a declaration stay private to the entity. */
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

/** The exposed properties of an entity, those of its base classes first. */
export function declaredFields(entity: Entity): ReadonlyMap<string, FieldDeclaration> {
  const found = new Map<string, FieldDeclaration>();
  const chain: object[] = [];
  for (
    let at: unknown = entity.prototype;
    isObject(at) && at !== Object.prototype;
    at = Object.getPrototypeOf(at)
  ) {
    chain.unshift(at);
  }
  for (const prototype of chain) {
    const own = declaredIn(prototype);
    for (const [name, declared] of own ?? []) {
      const declaration = typeof declared === 'function' ? declared() : declared;
      own?.set(name, declaration);
      found.set(name, declaration);
    }
  }
  return found;
}

/** The field that holds when a row was deleted, where deleted rows are kept. */
export const deletedAtOf = (entity: Entity): string | undefined =>
  deletedAtFields(declaredFields(entity))[0];

export const deletedAtFields = (fields: ReadonlyMap<string, FieldDeclaration>): string[] =>
  [...fields].flatMap(([name, declaration]) =>
    declaration.writing?.includes('deletedAt') ? [name] : [],
  );

const isObject = (candidate: unknown): candidate is object =>
  typeof candidate === 'object' && candidate !== null;

export function declareCollection(entity: Entity, declaration: CollectionDeclaration): void {
  Reflect.defineMetadata(COLLECTION, declaration, entity);
}

export const collectionOf = (entity: Entity): CollectionDeclaration =>
  (Reflect.getMetadata(COLLECTION, entity) as CollectionDeclaration | undefined) ?? {
    singleton: false,
  };
