import { unwrapResolverError } from '@apollo/server/errors';
import { GraphQLError, type GraphQLFormattedError } from 'graphql';
import {
  AppError,
  InvalidQuery,
  isFault,
  logFaults,
  PersistedQueryNotSupported,
  SeveralErrors,
  toAppErrors,
  toEntry,
} from '../common/errors';
import { requestId } from '../common/request/request-id';
import { answerType } from './answer-type';
import type { ApolloPlugin } from './apollo-plugin';
import { badRequest } from './bad-requests';
import type { GraphqlContext } from './graphql-context';
import { GRAPHQL_LIMITS } from './limits';
import { faultOfDocument, faultOfSyntax, faultOfVariable } from './request-faults';

const ERRORS = Symbol('errors');

interface Carrier extends GraphQLFormattedError {
  readonly [ERRORS]?: readonly AppError[];
}

/** One of our errors in GraphQL's form; further errors of the same request are carried along for the plugin below. */
export function formatError(
  formatted: GraphQLFormattedError,
  error: unknown,
): GraphQLFormattedError {
  const errors = appErrors(formatted, originalOf(error));
  const { locations, path } = formatted;
  return {
    ...toEntry(errors[0]),
    ...(locations && { locations }),
    ...(path && { path }),
    [ERRORS]: errors,
  } as GraphQLFormattedError;
}

/** The error that a resolver threw, or that we threw before any was called. */
function originalOf(error: unknown): unknown {
  const thrown = error instanceof GraphQLError ? error.originalError : undefined;
  const isOurs = thrown instanceof AppError || thrown instanceof SeveralErrors;
  return isOurs ? thrown : unwrapResolverError(error);
}

function appErrors(
  formatted: GraphQLFormattedError,
  original: unknown,
): readonly [AppError, ...AppError[]] {
  if (original instanceof AppError || original instanceof SeveralErrors)
    return toAppErrors(original);
  switch (formatted.extensions?.['code']) {
    case 'GRAPHQL_PARSE_FAILED':
      return [faultOfSyntax(formatted.message)];
    case 'GRAPHQL_VALIDATION_FAILED':
      if (formatted.extensions['validationErrorCode'] === 'INTROSPECTION_DISABLED') {
        return [new InvalidQuery({ reason: 'introspection is off' })];
      }
      return [faultOfDocument(formatted.message, original)];
    case 'OPERATION_RESOLUTION_FAILURE':
      return [faultOfDocument(formatted.message, original)];
    case 'BAD_USER_INPUT':
      return [faultOfVariable(formatted.message)];
    case 'PERSISTED_QUERY_NOT_SUPPORTED':
      return [new PersistedQueryNotSupported({})];
    case 'BAD_REQUEST':
      return [badRequest(original)];
    default:
      return isOfRequest(formatted, original)
        ? [faultOfDocument(formatted.message)]
        : toAppErrors(original);
  }
}

/**
 * Errors of the executor before any field is resolved: subscriptions, too many faulty variables. They have no code. A
 * stored value that its type cannot represent is not the request's fault, and has a path.
 */
const isOfRequest = ({ path }: GraphQLFormattedError, error: unknown): error is GraphQLError =>
  !path && error instanceof GraphQLError && !error.path && !error.originalError;

/** Errors that never reach an operation; a GraphQL error is the request's own fault. */
function logUnforeseen({ error }: { readonly error: Error }): Promise<void> {
  if (!(error instanceof GraphQLError)) logFaults(toAppErrors(error), 'GraphQL');
  return Promise.resolve();
}

/** One entry per fault, and, where nothing of the document was executed, the status that REST would give. */
export const errorEntries: ApolloPlugin = {
  contextCreationDidFail: logUnforeseen,
  unexpectedErrorProcessingRequest: logUnforeseen,
  requestDidStart: () =>
    Promise.resolve({
      willSendResponse: ({ response, contextValue }) => {
        // Otherwise an `Accept` without JSON is refused after the operation has run.
        const { request } = contextValue as Partial<GraphqlContext>;
        response.http.headers.set('content-type', answerType(request));
        if (response.body.kind === 'single') {
          const result = response.body.singleResult;
          const carried = (result.errors ?? []) as readonly Carrier[];
          const first = carried.flatMap((error) => error[ERRORS] ?? [])[0];
          // Clients treat any other status as a transport error and do not read the errors in the body.
          if (first && result.data === undefined) response.http.status = first.status;
          for (const header of Object.entries(first?.headers ?? {}))
            response.http.headers.set(...header);
          const id = logFaultsOf(carried, contextValue as Partial<GraphqlContext>);
          if (carried.length > 0) result.errors = entriesFrom(carried, id);
        }
        return Promise.resolve();
      },
    }),
};

/** Logs our own faults. @returns the id under which they are logged, if there are any */
function logFaultsOf(
  carried: readonly Carrier[],
  { request }: Partial<GraphqlContext>,
): string | undefined {
  const errors = carried.flatMap((error) => error[ERRORS] ?? []);
  return logFaults(errors, 'GraphQL', request && (() => requestId(request)));
}

/** Every failed operation, and their further faults up to the usual number. */
function entriesFrom(carried: readonly Carrier[], id: string | undefined): GraphQLFormattedError[] {
  const all = carried.map((error) => entriesOf(error, id));
  const left = Math.max(0, GRAPHQL_LIMITS.faults - all.length);
  const further = new Set(all.flatMap((entries) => entries.slice(1)).slice(0, left));
  return all.flatMap((entries) => entries.filter((each, at) => at === 0 || further.has(each)));
}

function entriesOf(error: Carrier, id: string | undefined): GraphQLFormattedError[] {
  const { locations, path } = error;
  return (error[ERRORS] ?? []).map((each) => ({
    ...toEntry(each, isFault(each) ? id : undefined),
    ...(locations && { locations: locations.slice(0, GRAPHQL_LIMITS.faults) }),
    ...(path && { path }),
  }));
}
