import {
  type FieldNode,
  type GraphQLField,
  type GraphQLObjectType,
  type GraphQLResolveInfo,
  type GraphQLSchema,
  getArgumentValues,
  getIntrospectionQuery,
  getNamedType,
  isObjectType,
  Kind,
  parse,
  SchemaMetaFieldDef,
  type SelectionSetNode,
  TypeMetaFieldDef,
} from 'graphql';
import { type Fragments, fragmentsOf } from '../fragments';

type Field = GraphQLField<unknown, unknown>;

/** Deprecated elements count even where they are not requested, so that the bound holds for the largest answer. */
const ARGUMENTS = { includeDeprecated: true };

/**
 * Counts the values of an introspection's answer, and stops at a bound, so that counting never takes longer than an
 * answer of that size. Every mention counts, also one that `@skip` leaves out or that another one repeats.
 */
export class IntrospectionCost {
  private count = 0;
  private readonly info: GraphQLResolveInfo;

  constructor(
    schema: GraphQLSchema,
    private readonly fragments: Fragments,
    private readonly bound: number,
  ) {
    // The only part that resolvers of introspection fields read.
    this.info = { schema } as GraphQLResolveInfo;
  }

  /**
   * @param variables coerced; the argument of `__type` may be one of them
   * @returns some number above the bound where the bound is exceeded
   */
  of(nodes: readonly FieldNode[], variables: Readonly<Record<string, unknown>>): number {
    for (const node of nodes) {
      const field = node.name.value === '__schema' ? SchemaMetaFieldDef : TypeMetaFieldDef;
      this.add(field, node, { args: getArgumentValues(field, node, variables) });
    }
    return this.count;
  }

  private add(field: Field, node: FieldNode, { args = ARGUMENTS, source }: Resolving): void {
    this.count += 1;
    const type = getNamedType(field.type);
    if (this.count > this.bound || !node.selectionSet || !isObjectType(type)) return;
    const value = field.resolve?.(source, args, undefined, this.info);
    for (const each of Array.isArray(value) ? (value as unknown[]) : [value]) {
      if (each !== null && each !== undefined) this.addAll(node.selectionSet, type, each);
    }
  }

  private addAll(set: SelectionSetNode, type: GraphQLObjectType, source: unknown): void {
    for (const node of set.selections) {
      if (this.count > this.bound) return;
      if (node.kind === Kind.FIELD) {
        const field = type.getFields()[node.name.value];
        if (field) this.add(field, node, { source });
        else this.count += 1;
        continue;
      }
      const fragment =
        node.kind === Kind.INLINE_FRAGMENT ? node : this.fragments.get(node.name.value);
      // Types of the introspection are objects: another condition does not match.
      const condition = fragment?.typeCondition?.name.value ?? type.name;
      if (fragment && condition === type.name) this.addAll(fragment.selectionSet, type, source);
    }
  }
}

interface Resolving {
  readonly args?: Readonly<Record<string, unknown>>;
  readonly source?: unknown;
}

/** By how much a query may exceed the standard one: editors have queries of their own. */
const ALLOWANCE = 1.5;

const bounds = new WeakMap<GraphQLSchema, number>();

/** The highest allowed cost: that of the standard query with all its options, and the allowance. */
export function highestCost(schema: GraphQLSchema): number {
  const known = bounds.get(schema);
  if (known !== undefined) return known;
  const document = parse(STANDARD);
  const [operation] = document.definitions;
  if (operation?.kind !== Kind.OPERATION_DEFINITION) throw new Error('The query is there');
  const nodes = operation.selectionSet.selections.filter((node) => node.kind === Kind.FIELD);
  const cost = new IntrospectionCost(schema, fragmentsOf(document), Infinity).of(nodes, {});
  const bound = Math.ceil(cost * ALLOWANCE);
  bounds.set(schema, bound);
  return bound;
}

const STANDARD = getIntrospectionQuery({
  descriptions: true,
  specifiedByUrl: true,
  directiveIsRepeatable: true,
  schemaDescription: true,
  inputValueDeprecation: true,
  oneOf: true,
});
