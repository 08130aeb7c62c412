import {
  type GraphQLFieldConfig,
  GraphQLInputObjectType,
  GraphQLInt,
  GraphQLObjectType,
} from 'graphql';
import { type FieldShape, type FunctionName, functionsOf } from '../../engine';
import { operatorInput } from './operator-inputs';

/** `published_at_func`: the functions of a field, in filters and in answers. */
export const functionsName = ({ name }: FieldShape): string => `${name}_func`;

/** Keyed by the functions; fields of the same kind share a type. */
class TypesByFunctions<T> {
  private readonly made = new Map<string, T>();

  constructor(private readonly make: (kind: string, functions: readonly FunctionName[]) => T) {}

  of(functions: readonly FunctionName[]): T {
    const kind = kindOf(functions);
    const type = this.made.get(kind) ?? this.make(kind, functions);
    this.made.set(kind, type);
    return type;
  }
}

function kindOf(functions: readonly FunctionName[]): string {
  if (functions.includes('count')) return 'count';
  if (!functions.includes('year')) return 'time';
  return functions.includes('hour') ? 'datetime' : 'date';
}

const inputs = new TypesByFunctions(
  (kind, functions) =>
    new GraphQLInputObjectType({
      name: `${kind}_function_filter`,
      fields: Object.fromEntries(
        functions.map((fn) => [fn, { type: operatorInput('integer') }] as const),
      ),
    }),
);

const outputs = new TypesByFunctions(
  (kind, functions) =>
    new GraphQLObjectType({
      name: `${kind}_functions`,
      fields: Object.fromEntries(functions.map((fn) => [fn, { type: GraphQLInt }] as const)),
    }),
);

/** `published_at_func: {year: {_eq: 2024}}`: the functions that a field admits. */
export const functionInput = (functions: readonly FunctionName[]): GraphQLInputObjectType =>
  inputs.of(functions);

const FUNCTIONS_OF = 'functionsOf';

/** The field whose functions a field of the schema gives, if it does. */
export const functionsField = ({
  extensions,
}: Pick<GraphQLFieldConfig<unknown, unknown>, 'extensions'>): string | undefined =>
  extensions?.[FUNCTIONS_OF] as string | undefined;

/** The key of a function's value in an answer. No field can have this name. */
export const functionKey = (field: string, fn: string): string => `${field}_func.${fn}`;

/** `published_at_func { year month }`, of a field that admits functions. */
export function functionFields(
  field: FieldShape,
): [string, GraphQLFieldConfig<unknown, unknown>][] {
  const functions = functionsOf(field);
  if (functions.length === 0) return [];
  const config: GraphQLFieldConfig<unknown, unknown> = {
    type: outputs.of(functions),
    extensions: { [FUNCTIONS_OF]: field.name },
    resolve: (source) => {
      const row = source as Readonly<Record<string, unknown>>;
      return Object.fromEntries(functions.map((fn) => [fn, row[functionKey(field.name, fn)]]));
    },
  };
  return [[functionsName(field), config]];
}
