import {
  type Cell,
  describeVariable,
  type Rule,
  type RuleBook,
  type Standing,
  type Variable,
  variablesOf,
  type VariableSource,
} from '../access';
import type { Bearer } from './bearer';

/** A variable that leads from the caller's or the role's row to a field. */
export type PathVariable = Variable & { kind: 'user' | 'role' };

const rulesOf = (book: RuleBook): Rule[] =>
  [...book.values()].flatMap((actions) => [...actions.values()].flat());

/** Rules that use the moment, or a variable that is read anew for each request. */
export function passingRules(book: RuleBook, fresh: readonly PathVariable[]): ReadonlySet<Rule> {
  const read = new Set(fresh.map(describeVariable));
  const passes = (variable: Variable): boolean =>
    variable.kind === 'now' || read.has(describeVariable(variable));
  return new Set(rulesOf(book).filter((rule) => variablesOf(rule).some(passes)));
}

export function pathVariables(book: RuleBook): PathVariable[] {
  const paths = rulesOf(book)
    .flatMap(variablesOf)
    .filter((variable): variable is PathVariable => 'path' in variable && variable.path.length > 0);
  return [...new Map(paths.map((variable) => [describeVariable(variable), variable])).values()];
}

export function variableSource(
  bearer: Bearer,
  standing: Omit<Standing, 'variables'>,
  values: ReadonlyMap<string, Cell>,
  now: Date,
): VariableSource {
  return {
    now,
    valueOf(variable) {
      switch (variable.kind) {
        case 'roles':
          return bearer.roles;
        case 'policies':
          return standing.policies
            .filter(({ verdict }) => verdict === 'in force')
            .map(({ policy }) => policy);
        case 'user':
        case 'role':
          return variable.path.length === 0
            ? bearer[variable.kind]
            : values.get(describeVariable(variable));
      }
    },
  };
}
