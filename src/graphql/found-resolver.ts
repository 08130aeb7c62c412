import type { Type } from '@nestjs/common';
import type { DiscoveryService } from '@nestjs/core';
import { RESOLVER_PROPERTY_METADATA, RESOLVER_TYPE_METADATA } from '@nestjs/graphql';
import { detachedMetadata } from './detached-metadata';

/** A resolver, wherever it comes from. */
export interface FoundResolver {
  readonly type: Type<object>;
  readonly instance: object;
  /** The provider's, where an instance is made for each request. */
  readonly perRequest?: string;
}

type Provider = ReturnType<DiscoveryService['getProviders']>[number];

/** The resolver of a provider. */
export const resolverOfProvider = (provider: Provider): FoundResolver => ({
  type: provider.metatype as Type<object>,
  instance: provider.instance as object,
  ...(!provider.isDependencyTreeStatic() && { perRequest: provider.id }),
});

/** The metadata of a resolver's method. */
export const metadataOf = <T>(
  key: string,
  { type }: FoundResolver,
  method: string,
): T | undefined => {
  const target: unknown = Reflect.get(type.prototype as object, method);
  return typeof target === 'function' ? (Reflect.getMetadata(key, target) as T) : undefined;
};

/** The same for metadata that `detachMetadata` has moved. */
export const detachedMetadataOf = (
  key: string,
  { type }: FoundResolver,
  method: string,
): unknown => {
  const target: unknown = Reflect.get(type.prototype as object, method);
  return typeof target === 'function' ? detachedMetadata(key, target) : undefined;
};

/** The type whose field a method answers: of `@ResolveField` that of the class's `@Resolver('…')`. */
export function parentOf(resolver: FoundResolver, method: string): string | undefined {
  const own = detachedMetadataOf(RESOLVER_TYPE_METADATA, resolver, method) as string | undefined;
  if (own !== undefined || !detachedMetadataOf(RESOLVER_PROPERTY_METADATA, resolver, method))
    return own;
  return Reflect.getMetadata(RESOLVER_TYPE_METADATA, resolver.type) as string | undefined;
}
