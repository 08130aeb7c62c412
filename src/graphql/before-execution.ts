import { getArgumentValues, getVariableValues, type OperationDefinitionNode } from 'graphql';
import { InvalidPayload, InvalidQuery } from '../common/errors';
import type { RouteAccess } from '../common/request/access.decorators';
import type { RequestAuthenticator } from '../common/request/request-authenticator';
import type { ApolloPlugin, ResolvedRequest } from './apollo-plugin';
import type { GraphqlContext } from './graphql-context';
import { type RootField, rootFields } from './root-fields';
import { isAlternative } from './schema/key-types';

/**
 * Refuses a valid document as a whole before any of it is executed: for a bad or expired token, unless all its
 * operations are public; and where an operation is given its items twice, or not at all.
 */
export const beforeExecution = (authenticator: () => RequestAuthenticator): ApolloPlugin => ({
  requestDidStart: () =>
    Promise.resolve({
      didResolveOperation: async (asked) => {
        const { operation, document, schema, contextValue } = asked as ResolvedRequest;
        if (!operation) return;
        if (!schema.getRootType(operation.operation))
          throw new InvalidQuery({ reason: `there is no ${operation.operation} here` });
        const fields = rootFields({ operation, document, schema });
        const { request } = contextValue as GraphqlContext;
        if (!isOpenToStale(fields)) await authenticator().authenticate(request, true);
        refuseUnclear(fields, operation, asked as ResolvedRequest);
      },
    }),
});

/** A stale token must never stop anyone from signing in. */
const isOpenToStale = (fields: readonly RootField[]): boolean =>
  fields.length > 0 &&
  fields.every(({ definition }) => {
    const access = definition.extensions['access'] as RouteAccess | undefined;
    return access?.kind === 'public' && access.staleToken === 'ignored';
  });

/** That there is one is enough: to describe thousands takes seconds. */
const ONE_FAULT = { maxErrors: 1 };

/** Of alternative arguments exactly one must be given; a variable that is left out comes as null. */
function refuseUnclear(
  fields: readonly RootField[],
  operation: OperationDefinitionNode,
  { schema, request }: ResolvedRequest,
): void {
  const unclear = fields.filter(({ definition }) => definition.args.some(isAlternative));
  if (unclear.length === 0) return;
  const sent = getVariableValues(
    schema,
    operation.variableDefinitions ?? [],
    request.variables ?? {},
    ONE_FAULT,
  );
  // Faults of the variables are reported by the executor.
  if (!sent.coerced) return;
  for (const { node, definition } of unclear) {
    const values = getArgumentValues(definition, node, sent.coerced);
    const names = definition.args.filter(isAlternative).map(({ name }) => name);
    if (names.filter((name) => (values[name] ?? null) !== null).length === 1) continue;
    throw new InvalidPayload({
      field: names[0] ?? '',
      reason: `${definition.name} takes exactly one of ${names.join(' and ')}`,
    });
  }
}
