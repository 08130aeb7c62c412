import 'reflect-metadata';
import type { Type } from '@nestjs/common';
import { EXCEPTION_FILTERS_METADATA } from '@nestjs/common/constants';
import { ownRoutesFilter } from './own-routes.filter';

/**
 * Sends errors of our controllers or resolvers to our filter before any filter of the whole application; filters of the
 * class itself come first.
 */
export function answerErrorsOf(type: Type<object>): void {
  const filters = (Reflect.getMetadata(EXCEPTION_FILTERS_METADATA, type) ?? []) as unknown[];
  if (filters.includes(ownRoutesFilter)) return;
  // The last filter is tried first.
  Reflect.defineMetadata(EXCEPTION_FILTERS_METADATA, [ownRoutesFilter, ...filters], type);
}
