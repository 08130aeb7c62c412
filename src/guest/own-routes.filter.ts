import type { ArgumentsHost, ExceptionFilter, Type } from '@nestjs/common';
import { FILTER_CATCH_EXCEPTIONS } from '@nestjs/common/constants';
import type { ApplicationConfig } from '@nestjs/core';
import type { Express, Request } from 'express';
import { AppError, ErrorsFilter, SeveralErrors } from '../common/errors';

const applications = new WeakMap<object, ApplicationConfig>();

/** @param service what the requests of the application that are ours name as their `app` */
export function keepFiltersOf(application: ApplicationConfig, service: Express): void {
  applications.set(service, application);
}

/**
 * Answers what is thrown in controllers of ours: by the application's filter for errors of that very kind, as it would in a
 * house of ours, or else in our shape. Our own errors, and whatever only a filter for everything would take, are ours.
 */
class OwnRoutesFilter extends ErrorsFilter {
  override catch(thrown: unknown, host: ArgumentsHost): void {
    const theirs = host.getType() === 'http' ? theirFilter(thrown, host) : undefined;
    if (theirs) theirs.catch(thrown, host);
    else super.catch(thrown, host);
  }
}

/** One for all applications, since what it is bound to is: classes. */
export const ownRoutesFilter: ErrorsFilter = new OwnRoutesFilter();

function theirFilter(thrown: unknown, host: ArgumentsHost): ExceptionFilter | undefined {
  if (thrown instanceof AppError || thrown instanceof SeveralErrors) return undefined;
  const { app } = host.switchToHttp().getRequest<Request>();
  const filters = applications.get(app as object)?.getGlobalFilters() ?? [];
  // The last is asked first.
  return filters.toReversed().find((filter) => isForKindOf(filter, thrown));
}

const isForKindOf = (filter: ExceptionFilter, thrown: unknown): boolean =>
  kindsOf(filter).some((kind) => thrown instanceof kind && !(AppError.prototype instanceof kind));

const kindsOf = (filter: ExceptionFilter): readonly Type<unknown>[] =>
  (Reflect.getMetadata(FILTER_CATCH_EXCEPTIONS, filter.constructor) ?? []) as Type<unknown>[];
