import { GraphQLError } from 'graphql';
import { faultOfJson } from '../common/http/json-text';
import { countValues } from '../common/count-values';
import { GRAPHQL_LIMITS } from './limits';

/**
 * Runs before the document is read: the executor reads variables at once, and describes a faulty one in full, once for
 * each of its faults.
 * @throws GraphQLError that becomes INVALID_PAYLOAD
 */
export function refuseLargeVariables(variables: unknown): void {
  if (countValues(variables, GRAPHQL_LIMITS.variables) > GRAPHQL_LIMITS.variables) {
    throw tooLarge('variables', `must hold at most ${GRAPHQL_LIMITS.variables} values`);
  }
  if (widest(variables) > GRAPHQL_LIMITS.variableNames) {
    throw tooLarge(
      'variables',
      `must not hold an object with more than ${GRAPHQL_LIMITS.variableNames} names`,
    );
  }
}

/**
 * Reads JSON from the URL under the bounds of a body. Text that is not JSON is refused later.
 * @throws GraphQLError that becomes INVALID_PAYLOAD
 */
export function readJson(text: string | null, name: string): unknown {
  const value = text === null ? undefined : parsed(text);
  const fault = value === undefined ? undefined : faultOfJson(text ?? '');
  if (fault !== undefined) throw tooLarge(name, fault);
  return value;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const tooLarge = (name: string, reason: string): GraphQLError =>
  new GraphQLError(`the ${name} ${reason}`, {
    extensions: { code: 'BAD_USER_INPUT', http: { status: 400 } },
  });

/** The largest number of names in one object. */
function widest(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  const members: unknown[] = Object.values(value);
  const own = Array.isArray(value) ? 0 : members.length;
  return members.reduce<number>((max, member) => Math.max(max, widest(member)), own);
}
