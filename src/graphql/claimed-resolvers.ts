import type { Type } from '@nestjs/common';
import {
  RESOLVER_NAME_METADATA,
  RESOLVER_PROPERTY_METADATA,
  RESOLVER_TYPE_METADATA,
} from '@nestjs/graphql';
import { LazyMetadataStorage } from '@nestjs/graphql/dist/schema-builder/storages/lazy-metadata.storage.js';

const KEYS = [RESOLVER_NAME_METADATA, RESOLVER_PROPERTY_METADATA, RESOLVER_TYPE_METADATA];
const claimed = (key: string): string => `doorward:${key}`;

/**
 * Takes what `@Query('…')` and the like say of the methods of a class that is at our endpoints for ours alone: the
 * `GraphQLModule` of a team's own looks for such methods in all modules, and would refuse a start over fields that its
 * schema does not have.
 */
export function claimResolver(type: Type<object>): void {
  // What a schema made from classes would ask of it: the types that each method answers with.
  const { lazyMetadataByTarget: asked } = LazyMetadataStorage as unknown as Lazy;
  asked.delete(type);
  for (const { value } of Object.values(Object.getOwnPropertyDescriptors(type.prototype))) {
    if (typeof value !== 'function' || value === type) continue;
    for (const key of KEYS) {
      const said: unknown = Reflect.getOwnMetadata(key, value as object);
      if (said === undefined) continue;
      Reflect.defineMetadata(claimed(key), said, value as object);
      Reflect.deleteMetadata(key, value as object);
    }
  }
}

/** What was said of a method that was claimed. */
export const claimedMetadata = (key: string, method: object): unknown =>
  Reflect.getMetadata(claimed(key), method);

interface Lazy {
  readonly lazyMetadataByTarget: Map<unknown, unknown>;
}
