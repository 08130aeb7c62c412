import {
  GraphQLBoolean,
  GraphQLID,
  type GraphQLInputFieldConfigMap,
  GraphQLInputObjectType,
  type GraphQLInputType,
  GraphQLList,
  GraphQLString,
} from 'graphql';
import { arityOf, OPERATORS, operatorsOf, type ScalarType } from '../../engine';
import { OperandScalar } from './scalars';

const FAMILIES = {
  string: 'text',
  number: 'integer',
  date: 'timestamp',
  id: 'uuid',
  choice: 'enum',
  boolean: 'boolean',
  json: 'json',
} as const satisfies Record<string, ScalarType>;

type Family = keyof typeof FAMILIES;

const FAMILY_OF: Readonly<Record<ScalarType, Family>> = {
  text: 'string',
  enum: 'choice',
  uuid: 'id',
  integer: 'number',
  bigint: 'number',
  decimal: 'number',
  double: 'number',
  date: 'date',
  time: 'date',
  timestamp: 'date',
  boolean: 'boolean',
  json: 'json',
  array: 'json',
};

/** The type that clients declare for their variables; only numbers come in two forms. */
const VALUES: Readonly<Record<Family, GraphQLInputType>> = {
  string: GraphQLString,
  choice: GraphQLString,
  date: GraphQLString,
  id: GraphQLID,
  boolean: GraphQLBoolean,
  number: OperandScalar,
  json: OperandScalar,
};

function operandType(operator: string, family: Family): GraphQLInputType {
  const value = VALUES[family];
  switch (arityOf(OPERATORS.get(operator)?.test ?? 'eq')) {
    case 'flag':
      return GraphQLBoolean;
    case 'list':
    case 'pair':
      return new GraphQLList(value);
    case 'one':
    case 'pattern':
      return value;
  }
}

export const operatorFields = (type: ScalarType): GraphQLInputFieldConfigMap => {
  const family = FAMILY_OF[type];
  return Object.fromEntries(
    operatorsOf(FAMILIES[family]).map((name) => [name, { type: operandType(name, family) }]),
  );
};

const inputs = new Map(
  Object.entries(FAMILIES).map(([family, type]) => [
    family,
    new GraphQLInputObjectType({
      name: `${family}_filter_operators`,
      fields: () => operatorFields(type),
    }),
  ]),
);

/** The typed operators of a column, so that an editor completes them. */
export function operatorInput(type: ScalarType): GraphQLInputObjectType {
  const input = inputs.get(FAMILY_OF[type]);
  if (!input) throw new Error(`No operators for ${type}`);
  return input;
}
