import type { Express, Request } from 'express';
import { routesOf } from '../http/routes';

/** The methods that some route takes on this path; empty where there is no route at all. */
export function allowedMethods(request: Request): string[] {
  const routes = routesOf(request.app as Express).at(pathOf(request));
  const methods = new Set(routes.flatMap((route) => [...route.methods]));
  methods.delete('_ALL');
  return [...methods].toSorted((a, b) => (a < b ? -1 : 1));
}

/**
 * Within a prefix of the application Express shows only the rest of the path, and a slash where nothing is left of it.
 * An invalid address has no path.
 */
export function pathOf(request: Request): string {
  const { baseUrl } = request;
  try {
    return baseUrl !== '' && request.path === '/' ? baseUrl : `${baseUrl}${request.path}`;
  } catch {
    return request.baseUrl;
  }
}
