import type { Type } from '@nestjs/common';
import {
  RESOLVER_NAME_METADATA,
  RESOLVER_PROPERTY_METADATA,
  RESOLVER_TYPE_METADATA,
} from '@nestjs/graphql';
import { LazyMetadataStorage } from '@nestjs/graphql/dist/schema-builder/storages/lazy-metadata.storage.js';

const KEYS = [RESOLVER_NAME_METADATA, RESOLVER_PROPERTY_METADATA, RESOLVER_TYPE_METADATA];
const detachedKey = (key: string): string => `doorward:${key}`;

/**
 * Hides `@Query('…')` and similar decorators of a class that our endpoints serve, by moving their metadata to keys of our
 * own: a team's own `GraphQLModule` looks for such methods in all modules, and would refuse to start, since its schema
 * lacks their fields.
 */
export function detachMetadata(type: Type<object>): void {
  // The return types of each method, which a code-first schema would request.
  const { lazyMetadataByTarget: byTarget } = LazyMetadataStorage as unknown as Lazy;
  byTarget.delete(type);
  for (const { value } of Object.values(Object.getOwnPropertyDescriptors(type.prototype))) {
    if (typeof value !== 'function' || value === type) continue;
    for (const key of KEYS) {
      const metadata: unknown = Reflect.getOwnMetadata(key, value as object);
      if (metadata === undefined) continue;
      Reflect.defineMetadata(detachedKey(key), metadata, value as object);
      Reflect.deleteMetadata(key, value as object);
    }
  }
}

/** The metadata of a method under the key that it had before. */
export const detachedMetadata = (key: string, method: object): unknown =>
  Reflect.getMetadata(detachedKey(key), method);

interface Lazy {
  readonly lazyMetadataByTarget: Map<unknown, unknown>;
}
