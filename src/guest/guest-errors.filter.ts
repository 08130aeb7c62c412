import { IncomingMessage } from 'node:http';
import { type ArgumentsHost, Catch } from '@nestjs/common';
import { GraphQLError } from 'graphql';
import {
  type AppErrors,
  AppError,
  ErrorsFilter,
  isFault,
  logFaults,
  SeveralErrors,
  toAppErrors,
  toEntry,
} from '../common/errors';
import { requestId } from '../common/request/request-id';

/**
 * Answers our own errors wherever they are thrown: by our guard, or when a team's controller calls us. Other errors in
 * their controllers go to their filters, and to Nest's.
 */
@Catch(AppError, SeveralErrors)
export class GuestErrorsFilter extends ErrorsFilter {
  override catch(thrown: unknown, host: ArgumentsHost): unknown {
    const kind: string = host.getType();
    // At an endpoint of theirs, nothing else converts our errors.
    if (kind === 'graphql' && !(host.getArgByIndex(0) instanceof IncomingMessage)) {
      throw graphqlError(toAppErrors(thrown), host.getArgByIndex(2));
    }
    return super.catch(thrown, host);
  }
}

function graphqlError(errors: AppErrors, context: { readonly req?: unknown } | undefined) {
  const [first] = errors;
  const request = context?.req;
  const idOf = request instanceof IncomingMessage ? () => requestId(request) : undefined;
  const id = logFaults(errors, 'GraphQL', idOf);
  const { message, extensions } = toEntry(first, isFault(first) ? id : undefined);
  return new GraphQLError(message, { extensions });
}
