import type { ApplicationConfig } from '@nestjs/core';

/** What all paths of the application begin with: `/api`, or nothing. Known once the application is set up. */
export function prefixOf(application: ApplicationConfig): string {
  const prefix = application.getGlobalPrefix().replace(/^\/+|\/+$/g, '');
  return prefix === '' ? '' : `/${prefix}`;
}
