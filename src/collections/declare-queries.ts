import { RouteParamtypes } from '@nestjs/common/enums/route-paramtypes.enum';
import type { DeclaredQueries } from '../common/request/declared-query';
import {
  type Description,
  descriptionOf,
  ROUTE_DESCRIPTION,
} from '../common/request/describe.decorator';
import type { ListedRoute } from './listed-routes';

/**
 * Registers the query parameters of the service's routes: those that the description names, and those that the method
 * takes. A method that takes the whole query checks it itself, and a team's own methods are left to the team.
 */
export function declareQueries(queries: DeclaredQueries, routes: readonly ListedRoute[]): void {
  for (const route of routes) {
    const method = Reflect.get(route.type.prototype as object, route.name) as object;
    const names = namesOf(route, method);
    if (names) queries.add(method, names);
  }
}

function namesOf(route: ListedRoute, method: object): ReadonlySet<string> | undefined {
  const description = ourDescription(route, method);
  const queryParameters = route.parameters.filter(({ kind }) => kind === RouteParamtypes.QUERY);
  if (!description || queryParameters.some(({ data }) => data === undefined)) return undefined;
  const named = queryParameters.map(({ data }) => String(data));
  if (description.kind === 'items') return new Set(named);
  if (description.kind === 'none' || description.anyQuery) return undefined;
  return new Set([...named, ...Object.keys(description.query ?? {})]);
}

/** The description, if it is the service's: of a team's controller, only inherited methods have one. */
function ourDescription({ type, name, isService }: ListedRoute, method: object) {
  if (isService) return descriptionOf(type, name);
  const own = Reflect.getOwnMetadata(ROUTE_DESCRIPTION, method) as Description | undefined;
  return own?.kind === 'items' ? own : undefined;
}
