import { isNonNullType, Kind, TypeInfo, visit, visitWithTypeInfo } from 'graphql';
import { InvalidQuery, throwIfAny } from '../common/errors';
import { fragmentsOf } from './fragments';
import { GRAPHQL_LIMITS } from './limits';
import { derivedFromOperation, type ValidOperation } from './derived-from-operation';

/**
 * A default makes a nullable variable valid where null is not allowed (GraphQL 5.8.5), and a client may still send
 * null. graphql-js reports that only where it evaluates the argument or the directive: below a write, after the write.
 * @throws InvalidQuery for each such variable
 */
export function refuseNullVariables(
  request: ValidOperation,
  variables: Readonly<Record<string, unknown>>,
): void {
  const nulls = (request.operation.variableDefinitions ?? [])
    .filter(({ type }) => type.kind !== Kind.NON_NULL_TYPE)
    .map(({ variable }) => variable.name.value)
    .filter((name) => variables[name] === null);
  if (nulls.length === 0) return;
  const refusedNames = nulls.filter((name) => neverNull(request).has(name));
  throwIfAny(
    refusedNames
      .slice(0, GRAPHQL_LIMITS.faults)
      .map((name) => new InvalidQuery({ reason: `the variable $${name} must not be null` })),
  );
}

/** The variables that the operation or one of its fragments mentions where null is not allowed. */
const neverNull = derivedFromOperation(({ schema, document, operation }): ReadonlySet<string> => {
  const fragments = fragmentsOf(document);
  const names = new Set<string>();
  const spread = new Set<string>();
  const types = new TypeInfo(schema);
  const visitor = visitWithTypeInfo(types, {
    VariableDefinition: () => false,
    Variable: ({ name }) => void (isNonNullType(types.getInputType()) && names.add(name.value)),
    FragmentSpread: ({ name }) => void spread.add(name.value),
  });
  visit(operation, visitor);
  // The set grows while it is read.
  for (const name of spread) {
    const fragment = fragments.get(name);
    if (fragment) visit(fragment, visitor);
  }
  return names;
});
