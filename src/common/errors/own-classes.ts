import 'reflect-metadata';
import type { Type } from '@nestjs/common';
import { EXCEPTION_FILTERS_METADATA } from '@nestjs/common/constants';
import { ownRoutesFilter } from './own-routes.filter';

/**
 * Has what is thrown in a controller or resolver of ours go to our filter before any of the whole application is asked;
 * those of the class itself go before.
 */
export function answerErrorsOf(type: Type<object>): void {
  const filters = (Reflect.getMetadata(EXCEPTION_FILTERS_METADATA, type) ?? []) as unknown[];
  if (filters.includes(ownRoutesFilter)) return;
  // The last is asked first.
  Reflect.defineMetadata(EXCEPTION_FILTERS_METADATA, [ownRoutesFilter, ...filters], type);
}
