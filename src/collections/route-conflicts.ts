import type { VersioningOptions } from '@nestjs/common';
import express from 'express';
import { type Route, Routes } from '../common/http/routes';
import type { ListedRoute } from './listed-routes';
import { type RouteVersions, shareVersions, takesVersions, versionsOf } from './route-versions';

/** Stands for any value of a parameter: no route has this word in its path. */
const ANYTHING = '~';

interface Rivals {
  /** `/graphql`: an endpoint that answers everything below it. */
  readonly endpoints: readonly string[];
  /** Whether to report conflicts between a team's own routes. */
  readonly reportsForeign: boolean;
  /** Of the application. */
  readonly versioning: VersioningOptions | undefined;
}

/**
 * Conflicts of routes: those that never get a request because another one is tried first, and those on the service's
 * own paths. One sentence for each collection or route that has to move.
 * @param routes in the order in which they are tried
 */
export function conflictsOf(routes: readonly ListedRoute[], rivals: Rivals): string[] {
  const placed = placedOf(routes, rivals.versioning);
  const words = serviceWords(routes);
  const found = placed.flatMap((own, at) => {
    const taken = takenFault(own, words, rivals.endpoints);
    if (taken !== undefined) return taken;
    const before = placed.slice(0, at).find((other) => takesAll(other, own));
    return before ? (rivalFault(own, before, rivals.reportsForeign) ?? []) : [];
  });
  return [...new Set(found)];
}

/** One path of a route. */
interface Placed {
  readonly route: ListedRoute;
  readonly path: string;
  readonly matcher: Route;
  readonly versions: RouteVersions;
}

function placedOf(
  routes: readonly ListedRoute[],
  versioning: VersioningOptions | undefined,
): Placed[] {
  return routes.flatMap((route) => {
    const versions = versionsOf(route.version, versioning);
    return route.paths.flatMap((path) => {
      const matcher = matcherOf(path, route.verb);
      return matcher ? { route, path, matcher, versions } : [];
    });
  });
}

/** Undefined for a path that Express refuses: Express reports that at registration. */
function matcherOf(path: string, verb: string): Route | undefined {
  const router = express.Router();
  const method = verb.toLowerCase() as 'get';
  try {
    router[method](path.replaceAll(/\*(?!\w)/g, '*rest'), () => undefined);
  } catch {
    return undefined;
  }
  return new Routes(router as never).all()[0];
}

/** Between the service and others, a single version that both answer is a conflict. */
function takesAll(before: Placed, own: Placed): boolean {
  const [one, other] = [before.route, own.route];
  if (one.passesOn || one.hosts !== other.hosts || !before.matcher.takes(other.verb)) return false;
  const takes = one.isService === other.isService ? takesVersions : shareVersions;
  if (!takes(before.versions, own.versions)) return false;
  return samplesOf(own.path).every((sample) => before.matcher.matches(sample));
}

/** Example paths that the pattern matches: a route that matches them all matches every path that this one does. */
function samplesOf(path: string): string[] {
  const patterns = path.includes('{')
    ? [path.replaceAll(/[{}]/g, ''), path.replaceAll(/\{[^}]*\}/g, '')]
    : [path];
  return patterns.map((pattern) =>
    pattern
      .replaceAll(/\*\w*/g, `${ANYTHING}/${ANYTHING}/${ANYTHING}`)
      .replaceAll(/:\w+/g, ANYTHING),
  );
}

/** The first words of the service's paths, except the one that all collections share. */
function serviceWords(routes: readonly ListedRoute[]): ReadonlySet<string> {
  const own = routes.filter(({ isService, isLast }) => isService && !isLast);
  return new Set(own.flatMap(({ paths }) => paths.map(firstWord)));
}

const firstWord = (path: string): string => path.split('/')[1]?.toLowerCase() ?? '';

function takenFault(
  { route, path, versions }: Placed,
  words: ReadonlySet<string>,
  endpoints: readonly string[],
): string | undefined {
  if (route.isService || route.hosts !== '') return undefined;
  const endpoint = versions.inPath ? undefined : endpoints.find((each) => isBelow(path, each));
  if (endpoint !== undefined) {
    return `${location(route, path)}: everything below ${endpoint} belongs to the GraphQL endpoint. ${remedy(route)}`;
  }
  const isTaken = route.collection !== undefined && words.has(firstWord(path));
  return isTaken ? servicePath(route, path) : undefined;
}

const isBelow = (path: string, root: string): boolean =>
  `${path.toLowerCase()}/`.startsWith(`${root}/`);

function rivalFault(
  { route: own, path }: Placed,
  { route: before, path: taken }: Placed,
  reportsForeign: boolean,
): string | undefined {
  if (own.isService !== before.isService) {
    return own.isService ? servicePath(before, taken) : servicePath(own, path);
  }
  const [generated, other] = own.collection === undefined ? [before, own] : [own, before];
  if (generated.collection !== undefined) return collectionFault(generated, other);
  if (own.foreign && before.foreign && !reportsForeign) return undefined;
  return (
    `${label(own, path)} can never be reached: ${label(before, taken)}, which is tried before it, takes its requests. ` +
    'Put it first, or change its path.'
  );
}

/** The first route is a generated one of a collection. */
function collectionFault(
  { collection, root }: ListedRoute,
  other: ListedRoute,
): string | undefined {
  if (other.collection === undefined) {
    return `${other.controller} has routes at ${root}, and so has the collection ${collection}: register the collection with { routes: false }, or give one of them another path.`;
  }
  // A module may be imported several times, and an entity be in several.
  if (other.collection === collection) return undefined;
  return `The collections ${other.collection} and ${collection} are both at ${root}: give one of them another { path }.`;
}

const servicePath = (route: ListedRoute, path: string): string =>
  `${location(route, path)}, where the service has routes of its own. ${remedy(route)}`;

const location = (route: ListedRoute, path: string): string =>
  route.collection === undefined
    ? `${route.place} is at ${route.verb} ${path}`
    : `The collection ${route.collection} is at ${route.root}`;

const remedy = ({ collection }: ListedRoute): string =>
  `Give it another ${collection === undefined ? 'path' : '{ path }'}.`;

const label = ({ place, verb }: ListedRoute, path: string): string => `${place} (${verb} ${path})`;
