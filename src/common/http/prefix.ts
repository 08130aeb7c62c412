import type { ApplicationConfig } from '@nestjs/core';

/** The prefix of all paths of the application: `/api`, or empty. Available once the application is set up. */
export function prefixOf(application: ApplicationConfig): string {
  const prefix = application.getGlobalPrefix().replace(/^\/+|\/+$/g, '');
  return prefix === '' ? '' : `/${prefix}`;
}
