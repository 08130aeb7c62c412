import type { Provider, Type } from '@nestjs/common';
import { HooksOf } from '../../collections';
import {
  type CollectionHooks,
  CollectionRegistry,
  type Key,
  type LookUp,
  type Payload,
  type WriteContext,
} from '../../repository';
import { type Managed, ManagedRowProtection, type ProvidedBy } from './managed-row-protection';

/** Makes hooks that refuse writes to those rows of a collection that a module provides. */
function guarding(collection: Managed): Type<CollectionHooks> {
  @HooksOf(collection)
  class ManagedHooks implements CollectionHooks {
    constructor(
      private readonly protection: ManagedRowProtection,
      private readonly registry: CollectionRegistry,
    ) {}

    beforeCreate(payload: Payload): Payload {
      return withoutNullManaged(payload);
    }

    /**
     * Lists may change: their members are rows of other collections with hooks of their own, such as the users of a
     * policy.
     */
    async beforeUpdate(
      payload: Payload,
      keys: readonly Key[],
      context: WriteContext,
    ): Promise<Payload> {
      const { fields } = this.registry.table(collection);
      const isOwn = (name: string): boolean => fields.get(name)?.kind !== 'to-many';
      if (Object.keys(payload).some(isOwn))
        this.protection.refuseManaged(keys, await context.once(this.provided), context.caller);
      return withoutNullManaged(payload);
    }

    async beforeDelete(keys: readonly Key[], context: WriteContext): Promise<void> {
      await this.refuse(keys, context);
    }

    /** Only the stored row shows which policy a rule was put into. */
    async afterCreate(keys: readonly Key[], context: WriteContext): Promise<void> {
      await this.refuseMoved(keys, context);
    }

    async afterUpdate(keys: readonly Key[], context: WriteContext): Promise<void> {
      await this.refuseMoved(keys, context);
    }

    private async refuseMoved(keys: readonly Key[], context: WriteContext): Promise<void> {
      if (collection === 'service_permissions') await this.refuse(keys, context);
    }

    private async refuse(keys: readonly Key[], { tx, caller }: WriteContext): Promise<void> {
      const provided = await this.protection.providedBy(collection, keys, tx);
      this.protection.refuseManaged(keys, provided, caller);
    }

    private readonly provided: LookUp<ProvidedBy> = (keys, { tx }) =>
      this.protection.providedBy(collection, keys, tx);
  }

  return ManagedHooks;
}

/** Null may be sent back as it was read, and is ignored; any other value is refused as read-only. */
function withoutNullManaged(payload: Payload): Payload {
  if (payload['managed'] !== null) return payload;
  return Object.fromEntries(Object.entries(payload).filter(([name]) => name !== 'managed'));
}

export const MANAGED_HOOKS: readonly Provider[] = [
  guarding('service_roles'),
  guarding('service_policies'),
  guarding('service_access'),
  guarding('service_permissions'),
];
