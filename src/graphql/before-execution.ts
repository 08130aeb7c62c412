import { getArgumentValues } from 'graphql';
import { InvalidPayload, InvalidQuery } from '../common/errors';
import type { RouteAccess } from '../common/request/access.decorators';
import type { RequestAuthenticator } from '../common/request/request-authenticator';
import type { ApolloPlugin, ResolvedRequest } from './apollo-plugin';
import { coercedVariables } from './coerced-variables';
import { fragmentsOf } from './fragments';
import type { GraphqlContext } from './graphql-context';
import { refuseNullVariables } from './null-variables';
import type { ValidOperation } from './derived-from-operation';
import { type RootField, rootFields } from './root-fields';
import { refuseRoundedKeys } from './rounded-keys';
import { collectFields } from './schema/collect-fields';
import { isAlternative } from './schema/argument-types';

/**
 * Refuses a valid document as a whole before any of it is executed: for a bad or expired token, unless all its
 * operations are public; for a variable that must not be null; for a key that was rounded; and where an operation is
 * given its items twice, or not at all.
 */
export const beforeExecution = (authenticator: () => RequestAuthenticator): ApolloPlugin => ({
  requestDidStart: () =>
    Promise.resolve({
      didResolveOperation: async (context) => {
        const { operation, document, schema, contextValue, ...rest } = context as ResolvedRequest;
        const { variables = {} } = rest.request;
        if (!operation) return;
        if (!schema.getRootType(operation.operation))
          throw new InvalidQuery({ reason: `there is no ${operation.operation} here` });
        const fields = rootFields({ operation, document, schema });
        const { request } = contextValue as GraphqlContext;
        if (!ignoresStaleToken(fields)) await authenticator().authenticate(request, 'refused');
        refuseNullVariables({ operation, document, schema }, variables);
        refuseRoundedKeys({ operation, schema }, variables);
        if (fields.some(hasAlternatives))
          requireOneAlternative({ operation, document, schema }, variables);
      },
    }),
});

/** A stale token must never stop anyone from signing in. */
const ignoresStaleToken = (fields: readonly RootField[]): boolean =>
  fields.length > 0 &&
  fields.every(({ definition }) => {
    const access = definition.extensions['access'] as RouteAccess | undefined;
    return access?.kind === 'public' && access.staleToken === 'ignored';
  });

const hasAlternatives = ({ definition }: RootField): boolean => definition.args.some(isAlternative);

/** Exactly one of the alternative arguments must be given; a variable that is left out arrives as null. */
function requireOneAlternative(
  { operation, document, schema }: ValidOperation,
  variables: Readonly<Record<string, unknown>>,
): void {
  const coerced = coercedVariables({ schema, operation }, variables);
  if (!coerced) return;
  const fragments = Object.fromEntries(fragmentsOf(document));
  const fields = collectFields([operation.selectionSet], { fragments, variableValues: coerced });
  for (const [node] of fields.values()) {
    const definition = schema.getRootType(operation.operation)?.getFields()[node?.name.value ?? ''];
    const names = definition?.args.filter(isAlternative).map(({ name }) => name) ?? [];
    if (!node || !definition || names.length === 0) continue;
    const values = getArgumentValues(definition, node, coerced);
    if (names.filter((name) => (values[name] ?? null) !== null).length === 1) continue;
    const [field = '', ...others] = names;
    throw new InvalidPayload({
      field,
      reason: `or ${others.map((name) => `"${name}"`).join(' or ')} must be given to ${definition.name}, and only one of them`,
    });
  }
}
