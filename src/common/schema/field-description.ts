import 'reflect-metadata';
import type { ScalarType } from '../../engine';

type Entity = abstract new () => object;
export type EntityClass = new () => object;
export type EntityReference = () => EntityClass;
/** An entity, or the name of a collection: a name lets two entities speak of each other without importing. */
export type TargetReference = EntityReference | string;

/** What the field decorators say beyond the column: one description per exposed property. */
export type FieldDescription =
  | {
      readonly kind: 'column';
      readonly type: ScalarType;
      readonly concealed: boolean;
      readonly choices?: readonly string[];
      readonly element?: Exclude<ScalarType, 'array' | 'json'>;
      readonly key: boolean;
      readonly filled: boolean;
    }
  | { readonly kind: 'to-one'; readonly target: TargetReference; readonly filled: boolean }
  | { readonly kind: 'one-to-many'; readonly target: TargetReference; readonly foreignKey: string }
  | {
      readonly kind: 'many-to-many';
      readonly target: TargetReference;
      readonly junction?: Junction;
    };

/** A many-to-many through an entity of its own: that entity, and its two foreign keys. */
export interface Junction {
  readonly collection: TargetReference;
  readonly near: string;
  readonly far: string;
}

export interface CollectionDescription {
  /** Undefined: the table's. */
  readonly name?: string;
  readonly singleton: boolean;
}

const FIELDS = Symbol('doorward:fields');
const TWICE = Symbol('doorward:described-twice');
const COLLECTION = Symbol('doorward:collection');

/** Notes that a property is exposed; what is not described stays the entity's own affair. */
export function describeField(
  prototype: object,
  property: string,
  description: FieldDescription,
): void {
  const known = (Reflect.getOwnMetadata(FIELDS, prototype) ?? new Map()) as Map<
    string,
    FieldDescription
  >;
  if (known.has(property)) {
    Reflect.defineMetadata(TWICE, [...describedTwice(prototype), property], prototype);
  }
  known.set(property, description);
  Reflect.defineMetadata(FIELDS, known, prototype);
}

/** Properties with two descriptions: a mistake that is told when the entity is registered. */
export const describedTwice = (prototype: object): readonly string[] =>
  (Reflect.getOwnMetadata(TWICE, prototype) ?? []) as readonly string[];

/** The exposed properties of an entity, those of its base classes first. */
export function fieldsOf(entity: Entity): ReadonlyMap<string, FieldDescription> {
  const found = new Map<string, FieldDescription>();
  const chain: object[] = [];
  for (
    let at: unknown = entity.prototype;
    isObject(at) && at !== Object.prototype;
    at = Object.getPrototypeOf(at)
  ) {
    chain.unshift(at);
  }
  for (const prototype of chain) {
    const own = Reflect.getOwnMetadata(FIELDS, prototype) as
      Map<string, FieldDescription> | undefined;
    for (const [name, description] of own ?? []) found.set(name, description);
  }
  return found;
}

const isObject = (candidate: unknown): candidate is object =>
  typeof candidate === 'object' && candidate !== null;

export function describeCollection(entity: Entity, description: CollectionDescription): void {
  Reflect.defineMetadata(COLLECTION, description, entity);
}

export const collectionOf = (entity: Entity): CollectionDescription =>
  (Reflect.getMetadata(COLLECTION, entity) as CollectionDescription | undefined) ?? {
    singleton: false,
  };
