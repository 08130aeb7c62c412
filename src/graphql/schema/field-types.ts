import {
  GraphQLBoolean,
  GraphQLFloat,
  GraphQLID,
  type GraphQLInputType,
  GraphQLInt,
  type GraphQLOutputType,
  GraphQLString,
} from 'graphql';
import { type FieldShape, type StoredField } from '../../engine';
import { BigIntScalar, DateScalar, DecimalScalar, JsonScalar, RelationScalar } from './scalars';

/** A stored field as it is answered; a concealed one is a mask, whatever its type. */
export function outputType(field: StoredField): GraphQLOutputType {
  if (field.concealed) return GraphQLString;
  switch (field.type) {
    case 'integer':
      return GraphQLInt;
    case 'bigint':
      return BigIntScalar;
    case 'decimal':
      return DecimalScalar;
    case 'double':
      return GraphQLFloat;
    case 'boolean':
      return GraphQLBoolean;
    case 'text':
    case 'enum':
      return GraphQLString;
    case 'uuid':
      return GraphQLID;
    case 'date':
    case 'time':
    case 'timestamp':
      return DateScalar;
    case 'json':
    case 'array':
      return JsonScalar;
  }
}

/** A field as it is sent; relations come in several forms, and so does what may be a mask. */
export function payloadType(field: FieldShape): GraphQLInputType {
  if (field.kind !== 'column') return RelationScalar;
  if (field.concealed && field.type !== 'text') return JsonScalar;
  const type = outputType(field);
  return type === GraphQLID ? GraphQLString : (type as GraphQLInputType);
}
