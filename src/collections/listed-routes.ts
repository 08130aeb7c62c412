import { RequestMethod, type Type } from '@nestjs/common';
import {
  HOST_METADATA,
  METHOD_METADATA,
  MODULE_PATH,
  PATH_METADATA,
  ROUTE_ARGS_METADATA,
  VERSION_METADATA,
} from '@nestjs/common/constants';
import { RouteParamtypes } from '@nestjs/common/enums/route-paramtypes.enum';
import { DiscoveryService, MetadataScanner, ModulesContainer } from '@nestjs/core';
import { ROUTE_ACCESS, type RouteAccess } from '../common/request/access.decorators';
import { callerOf } from '../common/request/transport';
import { serviceModules } from './hook-order';
import { plainCollectionOf } from './items.controller';
import { isTriedLast } from './missing-items.controller';
import { isOverridable } from './overrides';

/** A route or an operation, as declared by its decorators. */
export interface RouteDeclaration {
  /** `BillingController.pay` */
  readonly place: string;
  readonly access: RouteAccess | undefined;
  /** The paths of its requests: `/billing/pay`; undefined for an operation. */
  readonly paths?: readonly string[];
  /** For a team's class that uses nothing of ours: in their application, their own guards may protect it. */
  readonly foreign?: { readonly asksForCaller: boolean };
}

/** A parameter, as declared by its decorators. */
interface RouteParameter {
  /** One of `RouteParamtypes`. */
  readonly kind: number;
  /** The given name: `id` of `@Param('id')`. */
  readonly data?: unknown;
  readonly pipes?: readonly unknown[];
  readonly factory?: unknown;
}

export interface ListedRoute extends RouteDeclaration {
  readonly type: Type<object>;
  /** The method's name. */
  readonly name: string;
  readonly parameters: readonly RouteParameter[];
  readonly controller: string;
  /** The prefix of all paths of its controller: `/items/bills`. */
  readonly root: string;
  /** `GET`; `ALL` for every method. */
  readonly verb: string;
  readonly paths: readonly string[];
  readonly isService: boolean;
  /** The collection of a generated controller. */
  readonly collection: string | undefined;
  /** As declared, if it is; the application may have a default, or no versions at all. */
  readonly version: unknown;
  /** The hosts of the route: routes of others with the same path do not conflict. */
  readonly hosts: string;
  /** It may pass a request on to the next route. */
  readonly passesOn: boolean;
  readonly isLast: boolean;
}

/** All routes of the application, in the order in which they are tried. */
export function listRoutes(
  discovery: DiscoveryService,
  scanner: MetadataScanner,
  modules: ModulesContainer,
): ListedRoute[] {
  const service = serviceModules(new Set(modules.values()));
  const routes = discovery.getControllers().flatMap(({ metatype, host }) => {
    if (!metatype) return [];
    const module = host?.metatype;
    const prefix = module ? modulePath(module, modules.applicationId) : '';
    const isService = module !== undefined && service.has(module);
    return routesOf(metatype as Type<object>, { prefix, isService, scanner });
  });
  return routes.toSorted((one, other) => Number(one.isLast) - Number(other.isLast));
}

interface Surroundings {
  readonly prefix: string;
  readonly isService: boolean;
  readonly scanner: MetadataScanner;
}

function routesOf(type: Type<object>, { prefix, isService, scanner }: Surroundings): ListedRoute[] {
  const prototype = type.prototype as object;
  const collection = plainCollectionOf(type);
  // The controllers of collections come with `CollectionsModule`, which belongs to the service, whoever imports it.
  const isOurs = isService && (collection === undefined || collection.startsWith('service_'));
  return scanner.getAllMethodNames(prototype).flatMap((name) => {
    const method: unknown = Reflect.get(prototype, name);
    const verb = typeof method === 'function' ? verbOf(method) : undefined;
    if (typeof method !== 'function' || verb === undefined) return [];
    const parameters = parametersOf(type, name);
    const isForeign = !isOurs && !isOverridable(type);
    return {
      type,
      name,
      parameters,
      place: `${type.name}.${name}`,
      controller: type.name,
      root: joined(prefix, pathsOf(type)[0] ?? ''),
      access: accessOf(method, type),
      verb,
      paths: pathsOf(type).flatMap((base) =>
        pathsOf(method).map((path) => joined(prefix, base, path)),
      ),
      isService: isOurs,
      collection,
      version: versionOf(type, method),
      hosts: hostsOf(type),
      passesOn: parameters.some(({ kind }) => kind === RouteParamtypes.NEXT),
      isLast: isTriedLast(method),
      ...(isForeign && { foreign: { asksForCaller: parameters.some(asksForCaller) } }),
    };
  });
}

/** The parameters' declarations; Nest stores them by kind and index, as `0:1`. */
const parametersOf = (type: Type<object>, name: string): RouteParameter[] =>
  Object.entries(
    (Reflect.getMetadata(ROUTE_ARGS_METADATA, type, name) ?? {}) as Record<string, object>,
  ).map(([key, parameter]) => ({ ...parameter, kind: Number.parseInt(key, 10) }));

/** Whether it is `@CurrentCaller()`. */
const asksForCaller = ({ factory }: RouteParameter): boolean => factory === callerOf;

const verbOf = (method: object): string | undefined =>
  RequestMethod[Reflect.getMetadata(METHOD_METADATA, method) as RequestMethod];

const pathsOf = (target: object): string[] =>
  [(Reflect.getMetadata(PATH_METADATA, target) ?? '') as string | string[]].flat();

const joined = (...parts: readonly string[]): string =>
  `/${parts
    .flatMap((part) => part.split('/'))
    .filter((part) => part !== '')
    .join('/')}`;

/** What `RouterModule` gives the module. */
const modulePath = (module: object, application: string): string =>
  (Reflect.getMetadata(MODULE_PATH + application, module) ??
    Reflect.getMetadata(MODULE_PATH, module) ??
    '') as string;

const versionOf = (type: object, method: object): unknown =>
  Reflect.getMetadata(VERSION_METADATA, method) ?? Reflect.getMetadata(VERSION_METADATA, type);

const hostsOf = (type: object): string =>
  [(Reflect.getMetadata(HOST_METADATA, type) ?? []) as unknown].flat().map(String).join(' ');

const accessOf = (method: object, owner: object): RouteAccess | undefined =>
  (Reflect.getMetadata(ROUTE_ACCESS, method) ?? Reflect.getMetadata(ROUTE_ACCESS, owner)) as
    RouteAccess | undefined;
