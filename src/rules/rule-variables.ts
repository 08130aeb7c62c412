import {
  type Cell,
  describeVariable,
  once,
  type PathVariable,
  type Rule,
  type RuleBook,
  type Standing,
  type Variable,
  variablesOf,
  type VariableSource,
} from '../engine';
import type { Bearer } from './bearer';

export const rulesOf = (book: RuleBook): Rule[] =>
  [...book.values()].flatMap((actions) => [...actions.values()].flat());

/**
 * Whether a rule uses the moment, or a variable that is read anew for each request.
 * @param isHeld whether a variable is not
 */
export const passing = (isHeld: (variable: PathVariable) => boolean): ((rule: Rule) => boolean) =>
  once((rule) =>
    variablesOf(rule).some(
      (variable) => variable.kind === 'now' || (isPath(variable) && !isHeld(variable)),
    ),
  );

export const hasVariablePreset = ({ presets }: Rule): boolean =>
  [...presets.values()].some((preset) => 'variable' in preset);

const isPath = (variable: Variable): variable is PathVariable =>
  'path' in variable && variable.path.length > 0;

export function pathVariables(book: RuleBook): PathVariable[] {
  const paths = rulesOf(book).flatMap(variablesOf).filter(isPath);
  return [...new Map(paths.map((variable) => [describeVariable(variable), variable])).values()];
}

export function variableSource(
  bearer: Bearer,
  standing: Pick<Standing, 'policies'>,
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
