import {
  AccessFault,
  type Action,
  alwaysHolds,
  CALLER_COLLECTIONS,
  type Caller,
  type Case,
  type FieldShape,
  type Filter,
  hasField,
  parseRule,
  type Rule,
  type RuleSource,
  type Schema,
  type ToManyShape,
  variablesOf,
} from '../engine';

/** For these actions a rule names fields. */
const OF_FIELDS: readonly Action[] = ['create', 'read', 'update'];

/** A field of a collection. */
type Place = readonly [collection: string, field: string];

/**
 * Whether the caller has everything that the rule grants unconditionally: its action on every row, the fields that it
 * lists and presets, and read access to whatever its conditions and variables compare, since they reveal whom they let
 * pass.
 */
export function holdsInFull(caller: Caller, source: RuleSource, schema: Schema): boolean {
  const rule = parsed(source, schema);
  if (!rule) return false;
  const full = fullCases(caller, rule.policy);
  const cases = full(rule.action, rule.collection).filter(
    // A caller who must comment changes cannot let others make them without a comment.
    ({ explain }) => explain !== true || rule.explain === true,
  );
  if (cases.length === 0) return false;
  if (OF_FIELDS.includes(rule.action) && !holdsFields(cases, rule)) return false;
  return compared(rule, schema).every(([collection, field]) =>
    full('read', collection).some((each) => hasField(each.fields, field)),
  );
}

/** A rule that sleeps, or no longer fits its collection, is held by no one. */
function parsed(source: RuleSource, schema: Schema): Rule | undefined {
  try {
    return parseRule(source, schema);
  } catch (error) {
    if (error instanceof AccessFault) return undefined;
    throw error;
  }
}

/**
 * Only those of stored rules: what everyone has through a route or `app_access` has no id. A rule has no end, so what the
 * caller holds for a while counts only within the same policy.
 * @param written the policy of the rule that is judged
 */
function fullCases(
  caller: Caller,
  written: string,
): (action: Action, collection: string) => readonly Case[] {
  const ending = new Set(
    caller.policies.flatMap(({ policy, until }) => (until === undefined ? [] : policy)),
  );
  const lasts = (policy: string | null): boolean =>
    policy === written || policy === null || !ending.has(policy);
  return (action, collection) =>
    (caller.decide(action, collection)?.cases ?? []).filter(
      ({ rule, policy, everyRow, validation }) =>
        rule !== null && rule > 0 && everyRow && alwaysHolds(validation) && lasts(policy),
    );
}

function holdsFields(cases: readonly Case[], { fields, presets }: Rule): boolean {
  const named = [...presets.keys(), ...(fields === '*' ? [] : fields)];
  if (fields === '*' && !cases.some((each) => each.fields === '*')) return false;
  return named.every((field) => cases.some((each) => hasField(each.fields, field)));
}

/** Every field that the rule's conditions and variables read. */
function compared(rule: Rule, schema: Schema): Place[] {
  const variables = variablesOf(rule).flatMap((variable) =>
    'path' in variable ? alongPath(CALLER_COLLECTIONS[variable.kind], variable.path, schema) : [],
  );
  return [
    ...placesIn(rule.rows, rule.collection, schema),
    ...placesIn(rule.validation, rule.collection, schema),
    ...variables,
  ];
}

function placesIn(filter: Filter, collection: string, schema: Schema): Place[] {
  switch (filter.kind) {
    case 'and':
    case 'or':
      return filter.of.flatMap((member) => placesIn(member, collection, schema));
    case 'to-one':
    case 'to-many':
      return [
        ...placesOf(filter.field, collection, schema),
        ...placesIn(filter.filter, filter.field.target, schema),
      ];
    case 'leaf':
      return placesOf(filter.expression.field, collection, schema);
  }
}

/** A rule reads the real rows of a list, and what a computed field is made of: these must be readable too. */
function placesOf(field: FieldShape, collection: string, schema: Schema): Place[] {
  const own: Place = [collection, field.name];
  if (field.kind === 'column') {
    return [own, ...(field.computed?.from ?? []).map((name): Place => [collection, name])];
  }
  return field.kind === 'to-many' ? [own, ...placesOfList(field, schema)] : [own];
}

function placesOfList({ target, foreignKey, through }: ToManyShape, schema: Schema): Place[] {
  const key = schema.get(target)?.key;
  const rows: Place[] = key === undefined ? [] : [[target, key]];
  if (foreignKey !== undefined) return [...rows, [target, foreignKey]];
  // A junction that no rule can name is read with the list.
  if (!through || !schema.get(through.collection)) return rows;
  return [
    ...rows,
    [through.collection, through.foreignKey],
    [through.collection, through.targetForeignKey],
  ];
}

function alongPath(start: string, path: readonly string[], schema: Schema): Place[] {
  const places: Place[] = [];
  let collection = start;
  for (const name of path) {
    const field = schema.get(collection)?.fields.get(name);
    if (!field) return [...places, [collection, name]];
    places.push(...placesOf(field, collection, schema));
    if ('target' in field) collection = field.target;
  }
  return places;
}
