import { RequestMethod } from '@nestjs/common';
import type { ApplicationConfig } from '@nestjs/core';
import { RoutePathFactory } from '@nestjs/core/router/route-path-factory';
import { type ListedRoute, versionsOf } from '../collections';
import { prefixOf } from '../common/http/prefix';
import { ENDPOINTS } from '../graphql';

/** The path of the OpenAPI document, as its route declares it. */
const DOCUMENT = '/server/specs/oas';

/** The server of a document, relative to the document, and the paths below it. */
export interface ServedPaths {
  readonly server: string;
  /** @param written a path of the route, as declared; an application may serve it in several versions */
  readonly of: (route: ListedRoute, written: string) => readonly string[];
  readonly ofEndpoint: (path: string) => string;
}

/** Where there is neither a prefix nor a version. */
export const PLAIN_PATHS: ServedPaths = {
  server: '../..',
  of: (_, written) => [written],
  ofEndpoint: (path) => path,
};

/**
 * Paths as the application serves them. A route may be excluded from its prefix, or have another version than the
 * document, and GraphQL has none: the server is the longest path that is above all of them.
 */
export function servedPaths(
  routes: readonly ListedRoute[],
  application: ApplicationConfig,
): ServedPaths {
  const factory = new RoutePathFactory(application);
  const versioning = application.getVersioning();
  const prefix = prefixOf(application);
  const fullPaths = (route: ListedRoute, written: string): string[] =>
    factory.create(
      {
        ctrlPath: written,
        methodVersion: versionsOf(route.version, versioning).listed as string[],
        ...(versioning && { versioningOptions: versioning }),
        ...(prefix !== '' && { globalPrefix: prefix }),
      },
      RequestMethod[route.verb as keyof typeof RequestMethod],
    );
  const all = [
    ...routes.flatMap((route) => route.paths.flatMap((path) => fullPaths(route, path))),
    ...Object.values(ENDPOINTS).map((path) => `${prefix}${path}`),
  ];
  const document = all.find((path) => path.endsWith(DOCUMENT)) ?? DOCUMENT;
  const folders = document.slice(0, -DOCUMENT.length).split('/');
  let above = folders.length;
  const base = (): string => folders.slice(0, above).join('/');
  while (above > 1 && !all.every((path) => `${path}/`.startsWith(`${base()}/`))) above -= 1;
  const below = (path: string): string => path.slice(base().length) || '/';
  return {
    server: ['..', '..', ...folders.slice(above).map(() => '..')].join('/'),
    of: (route, written) => fullPaths(route, written).map(below),
    ofEndpoint: (path) => below(`${prefix}${path}`),
  };
}
