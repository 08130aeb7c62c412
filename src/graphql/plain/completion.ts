import {
  type FieldNode,
  type GraphQLField,
  type GraphQLLeafType,
  type GraphQLObjectType,
  type GraphQLOutputType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
} from 'graphql';
import type { Fragments } from '../fragments';
import { isRelation, relationKey } from '../schema/relations';
import { plainSelections } from './selections';

/** Converts a resolver's result into the answer's value. @throws NotPlain */
export type Complete = (value: unknown) => unknown;

/** graphql-js must complete a resolver's result: it reports what is wrong with it, or awaits a promise. */
class NotPlain extends Error {
  override readonly name = 'NotPlain';
}

/**
 * Completes field values like graphql-js (GraphQL 6.4.3), which creates several objects for each value: that took
 * longer than reading the rows. A field of a fragment is planned once, however often the fragment is spread.
 */
export class Completions {
  private readonly known = new Map<FieldNode, Complete | undefined>();

  constructor(private readonly fragments: Fragments) {}

  /** @returns undefined where something below the field is not plain */
  of(field: GraphQLField<unknown, unknown>, node: FieldNode): Complete | undefined {
    if (!this.known.has(node)) this.known.set(node, this.ofType(field.type, node));
    return this.known.get(node);
  }

  private ofType(type: GraphQLOutputType, node: FieldNode): Complete | undefined {
    if (isNonNullType(type)) return present(this.ofType(type.ofType, node));
    if (isListType(type)) return listOf(this.ofType(type.ofType, node));
    if (isLeafType(type)) return leaf(type);
    return isObjectType(type) ? this.ofObject(type, node) : undefined;
  }

  private ofObject(type: GraphQLObjectType, { selectionSet }: FieldNode): Complete | undefined {
    if (type.isTypeOf || !selectionSet) return undefined;
    const selections = plainSelections(selectionSet, type, this.fragments);
    const members = selections?.map(([key, node]) => this.member(key, node, type));
    return members?.every((member) => member !== undefined) ? objectOf(members) : undefined;
  }

  private member(key: string, node: FieldNode, type: GraphQLObjectType): Member | undefined {
    const name = node.name.value;
    if (name === '__typename') return { key, from: name, complete: () => type.name };
    const field = type.getFields()[name];
    const from = field && propertyOf(field, key);
    const complete = field && this.of(field, node);
    return from === undefined || !complete ? undefined : { key, from, complete };
  }
}

/** A field of an object in the answer. */
interface Member {
  readonly key: string;
  /** The property of the resolver's result. */
  readonly from: string;
  readonly complete: Complete;
}

const present = (complete: Complete | undefined): Complete | undefined =>
  complete && ((value) => complete(value) ?? refuse());

const listOf = (complete: Complete | undefined): Complete | undefined =>
  complete &&
  ((value) => {
    if (isNothing(value)) return null;
    return Array.isArray(value) ? value.map(complete) : refuse();
  });

const leaf =
  (type: GraphQLLeafType): Complete =>
  (value) => {
    if (isNothing(value)) return null;
    refuseUnsettled(value);
    return type.serialize(value) ?? refuse();
  };

const objectOf =
  (members: readonly Member[]): Complete =>
  (value) => {
    if (isNothing(value)) return null;
    if (typeof value !== 'object') return refuse();
    refuseUnsettled(value);
    const completed: Record<string, unknown> = {};
    for (const { key, from, complete } of members) {
      completed[key] = complete((value as Readonly<Record<string, unknown>>)[from]);
    }
    return completed;
  };

/** The property with a field's value; undefined for a field with its own resolver. */
function propertyOf(field: GraphQLField<unknown, unknown>, key: string): string | undefined {
  if (isRelation(field)) return relationKey(key);
  return field.resolve ? undefined : field.name;
}

const isNothing = (value: unknown): value is null | undefined =>
  value === null || value === undefined;

/** A method would be called, a promise awaited, and an error reported. */
function refuseUnsettled(value: unknown): void {
  if (typeof value === 'function') refuse();
  if (typeof value !== 'object') return;
  if (value instanceof Error || typeof (value as PromiseLike<unknown>).then === 'function')
    refuse();
}

const refuse = (): never => {
  throw new NotPlain();
};
