import type { ArgumentsHost, ExceptionFilter, Type } from '@nestjs/common';
import { FILTER_CATCH_EXCEPTIONS } from '@nestjs/common/constants';
import type { Express, Request } from 'express';
import { AppError, SeveralErrors } from './define-error';
import { ErrorsFilter } from './errors.filter';

/** The global filters of an application, in the order in which they were added. */
export type GlobalFilters = () => readonly ExceptionFilter[];

const FILTERS = Symbol('globalFilters');

/** Has a request that names `app` as its application be asked about by these filters. */
export function setGlobalFilters(app: Express, filters: GlobalFilters): void {
  Reflect.set(app.locals, FILTERS, filters);
}

/**
 * Answers what is thrown on our routes and by our GraphQL operations: by the application's filter for errors of that very
 * kind, or else in our shape. Our own errors are always ours, and so is whatever only a filter for everything would take.
 */
class OwnRoutesFilter extends ErrorsFilter {
  override catch(thrown: unknown, host: ArgumentsHost): unknown {
    const theirs = theirFilter(thrown, requestOf(host));
    return theirs ? theirs.catch(thrown, host) : super.catch(thrown, host);
  }
}

/** One for all applications, since what it is bound to is: classes. */
export const ownRoutesFilter: ErrorsFilter = new OwnRoutesFilter();

/** The first argument on REST, and of our operations on GraphQL too. */
const requestOf = (host: ArgumentsHost): Request => host.getArgByIndex<Request>(0);

function theirFilter(thrown: unknown, { app }: Request): ExceptionFilter | undefined {
  if (thrown instanceof AppError || thrown instanceof SeveralErrors) return undefined;
  const filters = Reflect.get(app.locals, FILTERS) as GlobalFilters | undefined;
  // The last is asked first.
  return filters?.().findLast((filter) => isForKindOf(filter, thrown));
}

const isForKindOf = (filter: ExceptionFilter, thrown: unknown): boolean =>
  kindsOf(filter).some((kind) => thrown instanceof kind && !(AppError.prototype instanceof kind));

const kindsOf = (filter: ExceptionFilter): readonly Type<unknown>[] =>
  (Reflect.getMetadata(FILTER_CATCH_EXCEPTIONS, filter.constructor) ?? []) as Type<unknown>[];
