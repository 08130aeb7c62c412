import {
  type FieldNode,
  getArgumentValues,
  getDirectiveValues,
  getNamedType,
  GraphQLIncludeDirective,
  GraphQLObjectType,
  type GraphQLResolveInfo,
  GraphQLSkipDirective,
  isObjectType,
  type SelectionNode,
  type SelectionSetNode,
} from 'graphql';
import { type RawQuery, FieldSelection } from '../../repository';
import { functionKey, functionsField } from './function-types';
import { relationKey } from './relations';

/**
 * The selection of an operation that answers items, as the query that REST would send for it: `{ fields }`, with
 * aliases and arguments of relations. It is passed on to the collection's service or repository.
 */
export function selectionOf(info: GraphQLResolveInfo): RawQuery {
  const type = getNamedType(info.returnType);
  if (!isObjectType(type)) return {};
  const fields = new FieldSelection().open();
  select(setsOf(info.fieldNodes), type, fields, info);
  return { fields };
}

const setsOf = (nodes: readonly FieldNode[]): SelectionSetNode[] =>
  nodes.flatMap(({ selectionSet }) => selectionSet ?? []);

/** Adds what is requested of a type to the selection; `__typename` and other non-fields are skipped. */
function select(
  sets: readonly SelectionSetNode[],
  type: GraphQLObjectType,
  selection: FieldSelection,
  info: GraphQLResolveInfo,
): void {
  for (const [key, nodes] of collect(sets, info)) {
    const [node] = nodes;
    const field = node && type.getFields()[node.name.value];
    if (!field) continue;
    const target = getNamedType(field.type);
    const argument = functionsField(field);
    if (argument !== undefined) {
      for (const fn of namesOf(setsOf(nodes), info)) {
        const at = functionKey(argument, fn);
        selection.alias(at, `${fn}(${argument})`);
        selection.wish(at);
      }
      continue;
    }
    if (!isObjectType(target)) {
      selection.wishField(field.name);
      continue;
    }
    const args = getArgumentValues(field, node, info.variableValues);
    const relation = selection.wishRelation(relationKey(key), field.name, queryArguments(args));
    select(setsOf(nodes), target, relation, info);
  }
}

/** The names that the operation asks for of each item, and the names below them. */
export function selectedNames(info: GraphQLResolveInfo): [string, string[]][] {
  return [...collect(setsOf(info.fieldNodes), info).values()].flatMap(
    (nodes): [string, string[]][] => {
      const [node] = nodes;
      if (!node || node.name.value.startsWith('__')) return [];
      return [[node.name.value, namesOf(setsOf(nodes), info)]];
    },
  );
}

/** The requested fields, without `__typename`. */
const namesOf = (sets: readonly SelectionSetNode[], info: GraphQLResolveInfo): string[] =>
  [...collect(sets, info).values()]
    .flatMap(([node]) => node?.name.value ?? [])
    .filter((name) => !name.startsWith('__'));

/** Field nodes by their requested names, with fragments expanded, respecting `@skip` and `@include`. */
function collect(
  sets: readonly SelectionSetNode[],
  info: GraphQLResolveInfo,
  found = new Map<string, FieldNode[]>(),
): Map<string, FieldNode[]> {
  for (const node of sets.flatMap((set) => set.selections)) {
    if (isLeftOut(node, info)) continue;
    if (node.kind === 'Field') {
      const key = node.alias?.value ?? node.name.value;
      found.set(key, [...(found.get(key) ?? []), node]);
      continue;
    }
    const fragment = node.kind === 'InlineFragment' ? node : info.fragments[node.name.value];
    if (fragment) collect([fragment.selectionSet], info, found);
  }
  return found;
}

function isLeftOut(node: SelectionNode, { variableValues }: GraphQLResolveInfo): boolean {
  if (!node.directives?.length) return false;
  const skipped = getDirectiveValues(GraphQLSkipDirective, node, variableValues)?.['if'];
  const included = getDirectiveValues(GraphQLIncludeDirective, node, variableValues)?.['if'];
  return skipped === true || included === false;
}

/**
 * Arguments of a GraphQL list as the query of REST: `filter: { issued_at_func: { year: { _eq: 2030 } } }` becomes
 * `{ filter: { 'year(issued_at)': { _eq: 2030 } } }`.
 */
export function queryArguments(args: Readonly<Record<string, unknown>>): RawQuery {
  const { filter, ...rest } = args;
  return {
    ...rest,
    ...(filter !== undefined && filter !== null && { filter: plainFilter(filter) }),
  };
}

const FUNCTIONS = /^(.+)_func$/;

/** `published_at_func: {year: …}` → `year(published_at): …`. */
function plainFilter(filter: unknown): unknown {
  if (Array.isArray(filter)) return filter.map(plainFilter);
  if (typeof filter !== 'object' || filter === null) return filter;
  return Object.fromEntries(
    Object.entries(filter).flatMap(([name, value]: [string, unknown]) => {
      const field = FUNCTIONS.exec(name)?.[1];
      if (field === undefined || typeof value !== 'object' || value === null)
        return [[name, plainFilter(value)]];
      return Object.entries(value).map(([fn, operators]: [string, unknown]) => [
        `${fn}(${field})`,
        operators,
      ]);
    }),
  );
}
