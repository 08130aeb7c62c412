import type { ListedRoute } from '../collections';
import { type Description, descriptionOf } from '../common/request/describe.decorator';

/** The methods that a path of OpenAPI 3.1 may have. */
const METHODS = new Set(['GET', 'PUT', 'POST', 'DELETE', 'HEAD', 'PATCH', 'OPTIONS']);

/** A route with its description. */
export interface DescribedRoute {
  readonly route: ListedRoute;
  readonly description: Description;
}

/** The routes that are described, and whose method OpenAPI knows. */
export const describedRoutes = (routes: readonly ListedRoute[]): DescribedRoute[] =>
  routes
    .filter(({ verb, isLast }) => METHODS.has(verb) && !isLast)
    .flatMap((route) => {
      const description = descriptionOf(route.type, route.name);
      return description && description.kind !== 'none' ? [{ route, description }] : [];
    });

/** The collection that a route of items serves. */
export const collectionOf = ({ access }: ListedRoute): string | undefined =>
  access?.kind === 'permission' ? access.collection : undefined;
