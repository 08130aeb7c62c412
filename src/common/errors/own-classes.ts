import 'reflect-metadata';
import type { Type } from '@nestjs/common';
import { EXCEPTION_FILTERS_METADATA } from '@nestjs/common/constants';
import type { ErrorsFilter } from './errors.filter';

/**
 * Has what is thrown in a controller of ours go to our filter before any of the whole application is asked; those of
 * the class itself go before.
 */
export function answerErrorsOf(type: Type<object>, filter: ErrorsFilter): void {
  const filters = (Reflect.getMetadata(EXCEPTION_FILTERS_METADATA, type) ?? []) as unknown[];
  if (filters.includes(filter)) return;
  // The last is asked first.
  Reflect.defineMetadata(EXCEPTION_FILTERS_METADATA, [filter, ...filters], type);
}
