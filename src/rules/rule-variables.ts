import {
  type Cell,
  variableText,
  hasPath,
  memoize,
  type PathVariable,
  type Rule,
  type RuleBook,
  type Rights,
  variablesOf,
  type VariableSource,
} from '../engine';
import type { Principal } from './principal';

/** All rules of a book. */
export const rulesOf = (book: RuleBook): Rule[] =>
  [...book.values()].flatMap((actions) => [...actions.values()].flat());

/**
 * Whether a rule uses the current time, or a variable that is read again for each request.
 * @param isCached whether a variable is cached
 */
export const variesByRequest = (
  isCached: (variable: PathVariable) => boolean,
): ((rule: Rule) => boolean) =>
  memoize((rule) =>
    variablesOf(rule).some(
      (variable) => variable.kind === 'now' || (hasPath(variable) && !isCached(variable)),
    ),
  );

/** Whether a preset of the rule is a variable. */
export const hasVariablePreset = ({ presets }: Rule): boolean =>
  [...presets.values()].some((preset) => 'variable' in preset);

/** The variables with a path that the rules use, each once. */
export function pathVariables(book: RuleBook): PathVariable[] {
  const paths = rulesOf(book).flatMap(variablesOf).filter(hasPath);
  return [...new Map(paths.map((variable) => [variableText(variable), variable])).values()];
}

/**
 * The values of variables for one request.
 * @param values those of variables with a path, by their written form
 */
export function variableSource(
  principal: Principal,
  rights: Pick<Rights, 'policies'>,
  values: ReadonlyMap<string, Cell>,
  now: Date,
): VariableSource {
  return {
    now,
    valueOf(variable) {
      switch (variable.kind) {
        case 'roles':
          return principal.roles;
        case 'policies':
          return rights.policies
            .filter(({ verdict }) => verdict === 'in force')
            .map(({ policy }) => policy);
        case 'user':
        case 'role':
          return variable.path.length === 0
            ? principal[variable.kind]
            : values.get(variableText(variable));
      }
    },
  };
}
