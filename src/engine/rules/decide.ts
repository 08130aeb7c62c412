import { bindFilter, fitCell, usesVariable, valuesOf } from '../filter/bind-filter';
import { alwaysHolds, type BoundFilter } from '../filter/filter';
import { type Variable, type VariableSource, variableType } from '../filter/variables';
import { type CollectionShape, isStored } from '../schema/schema';
import type { Cell, Value } from '../schema/value';
import type { Case, Decision, PolicyVerdict } from './decision';
import type { Action, FieldSet, Preset, Rule } from './rule';

/**
 * Turns the caller's rules for one action on one collection into a decision.
 * @param rules those of the caller's policies in force, of this collection and action
 */
export function decide(
  collection: CollectionShape,
  action: Action,
  rules: readonly Rule[],
  source: VariableSource,
  considered: readonly PolicyVerdict[],
): Decision {
  const cases = rules
    .filter((rule) => action !== 'read' || grantsAnything(rule.fields))
    .map((rule) => new BoundRule(rule, collection, source));
  return { collection, action, unrestricted: false, cases, considered };
}

const grantsAnything = (fields: FieldSet): boolean => fields === '*' || fields.size > 0;

/** A rule bound to the caller, each part on first use: most requests use few of them. */
class BoundRule implements Case {
  readonly rule: number | null;
  readonly implied: boolean;
  readonly explain: boolean;
  readonly policy: string;
  readonly everyRow: boolean;
  readonly fields: FieldSet;
  private boundRows: BoundFilter | undefined;
  private boundValidation: BoundFilter | undefined;
  private boundPresets: ReadonlyMap<string, Cell> | undefined;

  constructor(
    private readonly source: Rule,
    private readonly collection: CollectionShape,
    private readonly variables: VariableSource,
  ) {
    this.implied = source.implied === true;
    this.explain = source.explain === true;
    this.rule = this.implied ? null : source.id;
    this.policy = source.policy;
    this.everyRow = alwaysHolds(source.rows);
    this.fields = withKey(source, collection);
  }

  get rows(): BoundFilter {
    return (this.boundRows ??= bindFilter(this.source.rows, this.variables));
  }

  get validation(): BoundFilter {
    return (this.boundValidation ??= bindFilter(this.source.validation, this.variables));
  }

  get presets(): ReadonlyMap<string, Cell> {
    return (this.boundPresets ??= bindPresets(this.source, this.collection, this.variables));
  }

  get valueless(): readonly string[] {
    const found: string[] = [];
    const note = (variable: Variable): void => void found.push(variableText(variable));
    bindFilter(this.source.rows, this.variables, note);
    bindFilter(this.source.validation, this.variables, note);
    return found;
  }
}

/** A caller who may read any field of a row may read its key. */
function withKey(rule: Rule, collection: CollectionShape): FieldSet {
  if (rule.action !== 'read' || rule.fields === '*') return rule.fields;
  return new Set([...rule.fields, collection.key]);
}

function bindPresets(
  rule: Rule,
  collection: CollectionShape,
  source: VariableSource,
): ReadonlyMap<string, Cell> {
  return new Map(
    [...rule.presets].map(([name, preset]) => [name, bindPreset(name, preset, collection, source)]),
  );
}

/** A preset whose variable has no value, or one that the field cannot hold, is null. */
function bindPreset(
  name: string,
  preset: Preset,
  collection: CollectionShape,
  source: VariableSource,
): Cell {
  if (!('variable' in preset)) return preset.literal;
  const field = collection.fields.get(name);
  const values = valuesOf(preset.variable, source);
  if (!field || !isStored(field) || !values) return null;
  // No list may hold a null, so such a preset is null as a whole.
  return fitCell(
    variableType(preset.variable).many ? (values as Value) : (values[0] ?? null),
    field,
  );
}

/** The variable as it is written in a rule. */
export function variableText(variable: Variable): string {
  switch (variable.kind) {
    case 'user':
    case 'role':
      return ['$CURRENT_' + variable.kind.toUpperCase(), ...variable.path].join('.');
    case 'roles':
      return '$CURRENT_ROLES';
    case 'policies':
      return '$CURRENT_POLICIES';
    case 'now':
      return variable.amount === 0 ? '$NOW' : `$NOW(${variable.amount} ${variable.unit})`;
  }
}

/** Every variable of a rule, of its row filter, its validation and its presets. */
export function variablesOf(rule: Rule): Variable[] {
  const found: Variable[] = [];
  const note = (variable: Variable): boolean => {
    found.push(variable);
    return false;
  };
  usesVariable(rule.rows, note);
  usesVariable(rule.validation, note);
  for (const preset of rule.presets.values()) if ('variable' in preset) note(preset.variable);
  return found;
}
