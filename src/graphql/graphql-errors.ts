import { unwrapResolverError } from '@apollo/server/errors';
import { GraphQLError, type GraphQLFormattedError } from 'graphql';
import {
  AppError,
  InvalidPayload,
  InvalidQuery,
  isFault,
  logFaults,
  PersistedQueryNotSupported,
  SeveralErrors,
  toAppErrors,
  toEntry,
} from '../common/errors';
import { requestId } from '../common/request/request-id';
import { beginningOf } from '../common/text-beginning';
import { answerType } from './answer-type';
import type { ApolloPlugin } from './apollo-plugin';
import { badRequest } from './bad-requests';
import type { GraphqlContext } from './graphql-context';
import { GRAPHQL_LIMITS } from './limits';
import { valuePlace } from './value-place';

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
      return [new InvalidQuery({ reason: syntaxFault(formatted.message) })];
    case 'GRAPHQL_VALIDATION_FAILED':
      if (formatted.extensions['validationErrorCode'] === 'INTROSPECTION_DISABLED') {
        return [new InvalidQuery({ reason: 'introspection is off' })];
      }
      return [new InvalidQuery({ reason: withoutValues(formatted.message, original) })];
    case 'OPERATION_RESOLUTION_FAILURE':
      return [new InvalidQuery({ reason: withoutValues(formatted.message, original) })];
    case 'BAD_USER_INPUT':
      return [
        unknownField(formatted.message) ??
          new InvalidPayload({ reason: withoutValues(formatted.message) }),
      ];
    case 'PERSISTED_QUERY_NOT_SUPPORTED':
      return [new PersistedQueryNotSupported({})];
    case 'BAD_REQUEST':
      return [badRequest(original)];
    default:
      return isOfRequest(formatted, original)
        ? [new InvalidQuery({ reason: withoutValues(formatted.message) })]
        : toAppErrors(original);
  }
}

/**
 * Errors of the executor before any field is resolved: subscriptions, too many faulty variables. They have no code. A
 * stored value that its type cannot represent is not the request's fault, and has a path.
 */
const isOfRequest = ({ path }: GraphQLFormattedError, error: unknown): error is GraphQLError =>
  !path && error instanceof GraphQLError && !error.path && !error.originalError;

/** The parser recurses as deep as the document, until its stack overflows. */
const syntaxFault = (message: string): string =>
  message.startsWith('Syntax Error') ? withoutValues(message) : 'the document is nested too deeply';

/** Behind the value that is quoted; bounded, so that no name takes long to match. */
const UNKNOWN_FIELD =
  /(?: at "([\w.[\]]{1,300})")?; Field "([^"]{1,128})" is not defined by type "\w{1,300}"\./;

/** A variable with a field that its type does not have. */
function unknownField(message: string): AppError | undefined {
  const [, variable] = /^Variable "(\$\w{1,128})" got invalid value/.exec(message) ?? [];
  const [, place = variable, field] = UNKNOWN_FIELD.exec(message.slice(-2 * MAX_CHARACTERS)) ?? [];
  if (place === undefined || field === undefined) return undefined;
  return new InvalidPayload({ field, reason: `is no field of the variable ${place}` });
}

/** Sent values are never sent back: where a message quotes a value, only the position is kept. */
function withoutValues(message: string, error?: unknown): string {
  const place =
    /^Variable "(\$\w+)" (?:got|has) invalid (?:default )?value.*?(?: at "([\w.[\]]+)")?(?:;|$)/s.exec(
      message,
    );
  if (place) return `the variable ${cut(place[2] ?? place[1] ?? '')} has a value of the wrong type`;
  const quotes =
    /cannot represent|Expected value of type|does not exist in|must be a string or a number/;
  if (quotes.test(message)) {
    const at = error instanceof GraphQLError ? valuePlace(error) : undefined;
    return `${at === undefined ? 'an argument' : `the argument ${cut(at)}`} has a value of the wrong type`;
  }
  return cut(message.replace(LITERAL, '$1').replace(/\.$/, ''));
}

const MAX_CHARACTERS = 500;

/** A message repeats names, and a name may be as long as the request. */
const cut = (text: string): string =>
  text.length > MAX_CHARACTERS ? `${beginningOf(text, MAX_CHARACTERS)}…` : text;

/** The token at a syntax error: for a string or a number only its kind is kept. */
const LITERAL = /\b((?:Block)?String|Int|Float) ".*"(?=\.?$)/s;

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
          const id = namedFaults(carried, contextValue as Partial<GraphqlContext>);
          if (carried.length > 0) result.errors = entriesFrom(carried, id);
        }
        return Promise.resolve();
      },
    }),
};

/** Logs our own faults. @returns the id under which they are logged, if there are any */
function namedFaults(
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
