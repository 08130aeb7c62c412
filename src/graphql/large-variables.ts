import { GraphQLError } from 'graphql';
import { countValues } from './count-values';
import { GRAPHQL_LIMITS } from './limits';

/**
 * Looked at before the document is: the executor reads variables in one go, and describes a faulty one as a whole, once
 * for each of its faults.
 * @throws GraphQLError that becomes INVALID_PAYLOAD
 */
export function refuseLargeVariables(body: unknown): void {
  const { variables } = (body ?? {}) as { variables?: unknown };
  if (countValues(variables, GRAPHQL_LIMITS.variables) > GRAPHQL_LIMITS.variables) {
    throw tooLarge(`must hold at most ${GRAPHQL_LIMITS.variables} values`);
  }
  if (widest(variables) > GRAPHQL_LIMITS.names) {
    throw tooLarge(`must not hold an object with more than ${GRAPHQL_LIMITS.names} names`);
  }
}

const tooLarge = (reason: string): GraphQLError =>
  new GraphQLError(`the variables ${reason}`, {
    extensions: { code: 'BAD_USER_INPUT', http: { status: 400 } },
  });

/** The most names that one object has. */
function widest(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  const members: unknown[] = Object.values(value);
  const own = Array.isArray(value) ? 0 : members.length;
  return members.reduce<number>((most, member) => Math.max(most, widest(member)), own);
}
