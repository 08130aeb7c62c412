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

/** Makes of what a resolver gave what is answered. @throws NotPlain */
export type Complete = (value: unknown) => unknown;

/** What a resolver gave is graphql-js's to complete: it says what is wrong with it, or waits for what is promised. */
export class NotPlain extends Error {
  override readonly name = 'NotPlain';
}

/**
 * Completes values of the type as graphql-js does (GraphQL 6.4.3), which makes several objects for each value: that took
 * longer than reading the rows.
 * @returns undefined where something below the field is not plain
 */
export function completionOf(
  type: GraphQLOutputType,
  node: FieldNode,
  fragments: Fragments,
): Complete | undefined {
  if (isNonNullType(type)) return present(completionOf(type.ofType, node, fragments));
  if (isListType(type)) return listOf(completionOf(type.ofType, node, fragments));
  if (isLeafType(type)) return leaf(type);
  return isObjectType(type) ? objectOf(type, node, fragments) : undefined;
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

function objectOf(
  type: GraphQLObjectType,
  { selectionSet }: FieldNode,
  fragments: Fragments,
): Complete | undefined {
  if (type.isTypeOf || !selectionSet) return undefined;
  const asked = plainSelections(selectionSet, type, fragments);
  const members = asked?.map(([key, node]) => memberOf(key, node, type, fragments));
  if (!members?.every((member) => member !== undefined)) return undefined;
  return (value) => {
    if (isNothing(value)) return null;
    if (typeof value !== 'object') return refuse();
    refuseUnsettled(value);
    const completed: Record<string, unknown> = {};
    for (const { key, from, complete } of members) {
      completed[key] = complete((value as Readonly<Record<string, unknown>>)[from]);
    }
    return completed;
  };
}

/** A field of an object in the answer. */
interface Member {
  readonly key: string;
  /** The property of what the resolver gave. */
  readonly from: string;
  readonly complete: Complete;
}

function memberOf(
  key: string,
  node: FieldNode,
  type: GraphQLObjectType,
  fragments: Fragments,
): Member | undefined {
  const name = node.name.value;
  if (name === '__typename') return { key, from: name, complete: () => type.name };
  const field = type.getFields()[name];
  const from = field && propertyOf(field, key);
  const complete = field && completionOf(field.type, node, fragments);
  return from === undefined || !complete ? undefined : { key, from, complete };
}

/** Where a row holds a field's value; a field that somebody resolves holds none. */
function propertyOf(field: GraphQLField<unknown, unknown>, key: string): string | undefined {
  if (isRelation(field)) return relationKey(key);
  return field.resolve ? undefined : field.name;
}

const isNothing = (value: unknown): value is null | undefined =>
  value === null || value === undefined;

/** A method would be called, a promise awaited, and an error told. */
function refuseUnsettled(value: unknown): void {
  if (typeof value === 'function') refuse();
  if (typeof value !== 'object') return;
  if (value instanceof Error || typeof (value as PromiseLike<unknown>).then === 'function')
    refuse();
}

const refuse = (): never => {
  throw new NotPlain();
};
