import type { Provider, Type } from '@nestjs/common';
import { type CollectionReference, HooksOf, nameOf } from '../collections';
import { Permission } from '../permissions';
import { Access, Policy } from '../policies';
import type { CollectionHooks, Key, Payload, WriteContext } from '../repository';
import { Role } from '../roles';
import { Settings } from '../settings';
import { User } from '../users';
import { Snapshots } from './snapshots';

/** Hooks that look at the rows of a collection before they are written; what they become is judged before the commit. */
function watching(collection: CollectionReference): Type<CollectionHooks> {
  const name = nameOf(collection);

  @HooksOf(collection)
  class PrivilegeHooks implements CollectionHooks {
    constructor(private readonly snapshots: Snapshots) {}

    async beforeUpdate(
      payload: Payload,
      keys: readonly Key[],
      context: WriteContext,
    ): Promise<Payload> {
      await this.snapshots.beforeUpdate(name, keys, context);
      return payload;
    }

    async beforeDelete(keys: readonly Key[], context: WriteContext): Promise<void> {
      await this.snapshots.beforeDelete(name, keys, context);
    }
  }

  return PrivilegeHooks;
}

export const PRIVILEGE_HOOKS: readonly Provider[] = [
  User,
  Role,
  Policy,
  Access,
  Permission,
  Settings,
].map(watching);
