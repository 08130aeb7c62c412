import { RouteParamtypes } from '@nestjs/common/enums/route-paramtypes.enum';
import { declareQuery } from '../common/request/declared-query';
import {
  type Description,
  descriptionOf,
  ROUTE_DESCRIPTION,
} from '../common/request/describe.decorator';
import type { ListedRoute } from './listed-routes';

/**
 * Notes which parameters the addresses of our routes may have: those that the description names, and those that the
 * method asks for. A method that is handed the whole query judges it itself. What a team wrote is theirs to judge.
 */
export function declareQueries(routes: readonly ListedRoute[]): void {
  for (const route of routes) {
    const method = Reflect.get(route.type.prototype as object, route.name) as object;
    const names = namesOf(route, method);
    if (names) declareQuery(method, names);
  }
}

function namesOf(route: ListedRoute, method: object): ReadonlySet<string> | undefined {
  const description = ourDescription(route, method);
  const asked = route.parameters.filter(({ kind }) => kind === RouteParamtypes.QUERY);
  if (!description || asked.some(({ data }) => data === undefined)) return undefined;
  const named = asked.map(({ data }) => String(data));
  if (description.kind === 'items') return new Set(named);
  if (description.kind === 'none' || description.anyQuery) return undefined;
  return new Set([...named, ...Object.keys(description.query ?? {})]);
}

/** Of a team's controller only what it inherits from ours is described by us. */
function ourDescription({ type, name, isService }: ListedRoute, method: object) {
  if (isService) return descriptionOf(type, name);
  const own = Reflect.getOwnMetadata(ROUTE_DESCRIPTION, method) as Description | undefined;
  return own?.kind === 'items' ? own : undefined;
}
