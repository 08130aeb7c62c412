import {
  type GraphQLFieldConfigMap,
  GraphQLInt,
  GraphQLList,
  GraphQLNonNull,
  GraphQLObjectType,
  type GraphQLOutputType,
  GraphQLString,
} from 'graphql';
import { type CollectionShape, isComparableField, isStored, type StoredField } from '../../engine';
import { AGGREGATES, type AggregateName, supportsAggregate } from '../../repository';
import { outputType } from './field-types';
import { DecimalScalar, JsonScalar } from './scalars';

/** `countAll` stands for `count` of `*`, which is not a name in GraphQL. */
export const COUNT_ALL = 'countAll';

/** The type of an aggregate of a field; undefined where the field does not support it. */
function resultType(fn: AggregateName, field: StoredField): GraphQLOutputType | undefined {
  if (!supportsAggregate(field.type, fn)) return undefined;
  switch (fn) {
    case 'count':
    case 'countDistinct':
      return GraphQLInt;
    case 'sum':
    case 'avg':
      return field.type === 'double' ? outputType(field) : DecimalScalar;
    case 'min':
    case 'max':
      return outputType(field);
  }
}

/** A group of a collection's items and its aggregates. */
export function aggregatedType(name: string, shape: CollectionShape): GraphQLOutputType {
  const functions = AGGREGATES.flatMap((fn) => {
    const fields = resultFields(fn, shape);
    if (Object.keys(fields).length === 0) return [];
    return [
      [fn, { type: new GraphQLObjectType({ name: `${name}_aggregated_${fn}`, fields }) }] as const,
    ];
  });
  const type = new GraphQLObjectType({
    name: `${name}_aggregated`,
    fields: {
      group: { type: JsonScalar },
      [COUNT_ALL]: { type: GraphQLInt },
      ...Object.fromEntries(functions),
    },
  });
  return new GraphQLList(new GraphQLNonNull(type));
}

const resultFields = (
  fn: AggregateName,
  shape: CollectionShape,
): GraphQLFieldConfigMap<unknown, unknown> =>
  Object.fromEntries(
    [...shape.fields.values()].flatMap((field) => {
      const type = isStored(field) && isComparableField(field) ? resultType(fn, field) : undefined;
      return type ? [[field.name, { type }]] : [];
    }),
  );

export const groupArguments = { groupBy: { type: new GraphQLList(GraphQLString) } };
