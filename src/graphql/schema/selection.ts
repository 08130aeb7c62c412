import {
  getArgumentValues,
  getNamedType,
  GraphQLObjectType,
  type GraphQLResolveInfo,
  isObjectType,
  type SelectionSetNode,
} from 'graphql';
import { InvalidQuery } from '../../common/errors';
import { isObject } from '../../common/is-object';
import { type RawQuery, FieldSelection } from '../../repository';
import { budgetOf } from '../request-budget';
import { collectFields, selectionSetsOf } from './collect-fields';
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
  const budget = budgetOf(info);
  if (budget) fields.checkedBy(budget.taking(info));
  select(selectionSetsOf(info.fieldNodes), type, fields, info);
  return { fields };
}

/** Adds what is requested of a type to the selection; `__typename` and other non-fields are skipped. */
function select(
  sets: readonly SelectionSetNode[],
  type: GraphQLObjectType,
  selection: FieldSelection,
  info: GraphQLResolveInfo,
): void {
  for (const [key, nodes] of collectFields(sets, info)) {
    const [node] = nodes;
    const field = node && type.getFields()[node.name.value];
    if (!field) continue;
    const target = getNamedType(field.type);
    const argument = functionsField(field);
    if (argument !== undefined) {
      for (const fn of namesOf(selectionSetsOf(nodes), info)) {
        const at = functionKey(argument, fn);
        selection.alias(at, `${fn}(${argument})`);
        selection.add(at);
      }
      continue;
    }
    // A field that a team's SDL adds has a resolver, and no column.
    if (field.astNode && field.resolve) continue;
    if (!isObjectType(target)) {
      selection.addField(field.name);
      continue;
    }
    const args = getArgumentValues(field, node, info.variableValues);
    const rows = queryArguments(args);
    const relation = selection.addRelation(relationKey(key), field.name, rows, key);
    select(selectionSetsOf(nodes), target, relation, info);
  }
}

/** The names that the operation asks for of each item, and the names below them. */
export function selectedNames(info: GraphQLResolveInfo): [string, string[]][] {
  return [...collectFields(selectionSetsOf(info.fieldNodes), info).values()].flatMap(
    (nodes): [string, string[]][] => {
      const [node] = nodes;
      if (!node || node.name.value.startsWith('__')) return [];
      return [[node.name.value, namesOf(selectionSetsOf(nodes), info)]];
    },
  );
}

/** The requested fields, without `__typename`. */
const namesOf = (sets: readonly SelectionSetNode[], info: GraphQLResolveInfo): string[] =>
  [...collectFields(sets, info).values()]
    .flatMap(([node]) => node?.name.value ?? [])
    .filter((name) => !name.startsWith('__'));

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
  if (!isObject(filter)) return filter;
  return Object.fromEntries(
    Object.entries(filter).flatMap(([name, value]: [string, unknown]) => {
      const field = FUNCTIONS.exec(name)?.[1];
      if (field === undefined) return [[name, plainFilter(value)]];
      const functions = Object.entries(value ?? {}) as [string, unknown][];
      // Dropped, the filter would let every item through.
      if (functions.length === 0)
        throw new InvalidQuery({ field: name, reason: 'must name a function' });
      return functions.map(([fn, operators]) => [`${fn}(${field})`, operators]);
    }),
  );
}
