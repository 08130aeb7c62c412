import 'reflect-metadata';
import { MODULE_METADATA } from '@nestjs/common/constants';
import type { DynamicModule, Type } from '@nestjs/common';
import type { DiscoveryService } from '@nestjs/core';
import { protectedRepositoryToken } from './tokens';

type Provider = ReturnType<DiscoveryService['getProviders']>[number];
type Module = NonNullable<Provider['host']>;

const SERVICE = Symbol('doorward:service');

/**
 * Marks a module that belongs to the service, with what it imports by its decorator, and what that imports in turn;
 * everything else is a team's.
 */
export const ServiceModule = (): ClassDecorator => (target) =>
  Reflect.defineMetadata(SERVICE, true, target);

/**
 * The order in which several hooks of one collection run: those of the module that brings the collection, then the
 * service's others, then teams'; of one rank in the order in which they are provided.
 * @returns a rank, the lowest first
 */
export function hookRanks(
  providers: readonly Provider[],
): (host: Module | undefined, collection: string) => number {
  const own = serviceModules(new Set(providers.flatMap(({ host }) => host ?? [])));
  return (host, collection) => {
    if (host && brings(host, collection)) return 0;
    return host && own.has(host.metatype) ? 1 : 2;
  };
}

const brings = (host: Module, collection: string): boolean =>
  [...host.imports].some(({ providers }) => providers.has(protectedRepositoryToken(collection)));

/** The classes of the service's modules. */
export function serviceModules(modules: ReadonlySet<Module>): ReadonlySet<unknown> {
  const marked = [...modules].filter(
    ({ metatype }) => Reflect.getMetadata(SERVICE, metatype) === true,
  );
  if (marked.length === 0) throw new Error('There is no module with @ServiceModule()');
  const found = new Set<Type>(marked.flatMap(({ metatype }) => directImports(metatype)));
  for (const type of found) {
    for (const { metatype, imports } of modules) {
      if (metatype === type) for (const inner of imports) found.add(inner.metatype as Type);
    }
  }
  // Not before: what they import dynamically may be a team's.
  for (const { metatype } of marked) found.add(metatype);
  return found;
}

const directImports = (type: Type): Type[] =>
  ((Reflect.getMetadata(MODULE_METADATA.IMPORTS, type) ?? []) as (Type | DynamicModule)[]).map(
    (imported) => ('module' in imported ? imported.module : imported),
  );
