import type { ArgumentsHost, ExceptionFilter, Type } from '@nestjs/common';
import { FILTER_CATCH_EXCEPTIONS } from '@nestjs/common/constants';
import type { Express, Request } from 'express';
import { AppError, SeveralErrors } from './define-error';
import { ErrorsFilter } from './errors.filter';

/** The global filters of an application, in the order in which they were added. */
export type GlobalFilters = () => readonly ExceptionFilter[];

const FILTERS = Symbol('globalFilters');

/** Sets the filters for requests that belong to `app`. */
export function setGlobalFilters(app: Express, filters: GlobalFilters): void {
  Reflect.set(app.locals, FILTERS, filters);
}

/**
 * Answers errors on our routes and GraphQL operations: by the application's filter for that very kind of error, or else
 * in our shape. Our own errors, and all that only a catch-all filter would handle, are answered in our shape.
 */
class OwnRoutesFilter extends ErrorsFilter {
  override catch(thrown: unknown, host: ArgumentsHost): unknown {
    const theirs = theirFilter(thrown, requestOf(host));
    return theirs ? theirs.catch(thrown, host) : super.catch(thrown, host);
  }
}

/** One for all applications, since it is bound to classes, which they share. */
export const ownRoutesFilter: ErrorsFilter = new OwnRoutesFilter();

/** The first argument in REST, and of our GraphQL operations too. */
const requestOf = (host: ArgumentsHost): Request => host.getArgByIndex<Request>(0);

function theirFilter(thrown: unknown, { app }: Request): ExceptionFilter | undefined {
  if (thrown instanceof AppError || thrown instanceof SeveralErrors) return undefined;
  const filters = Reflect.get(app.locals, FILTERS) as GlobalFilters | undefined;
  // The last filter is tried first.
  return filters?.().findLast((filter) => isForKindOf(filter, thrown));
}

const isForKindOf = (filter: ExceptionFilter, thrown: unknown): boolean =>
  kindsOf(filter).some((kind) => thrown instanceof kind && !(AppError.prototype instanceof kind));

const kindsOf = (filter: ExceptionFilter): readonly Type<unknown>[] =>
  (Reflect.getMetadata(FILTER_CATCH_EXCEPTIONS, filter.constructor) ?? []) as Type<unknown>[];
