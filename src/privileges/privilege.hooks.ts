import type { Provider, Type } from '@nestjs/common';
import { type CollectionReference, HooksOf, nameOf } from '../collections';
import { valuesAt } from '../common/values-at';
import { Permission } from '../permissions';
import { Access, Policy } from '../policies';
import type { CollectionHooks, Key, LookUp, Payload, WriteContext } from '../repository';
import { Role } from '../roles';
import { Settings } from '../settings';
import { User } from '../users';
import { bindsAdministrators, GUARDED_FIELDS } from './guarded-fields';
import type { GuardedRow } from './guarded-row';
import { PrivilegeCheck } from './privilege-check';
import { Snapshots } from './snapshots';

/**
 * Hooks that read the rows of a collection before they are written; the results are judged before the commit, and
 * before the system continues.
 */
function watching(collection: CollectionReference): Type<CollectionHooks> {
  const name = nameOf(collection);
  const guarded = GUARDED_FIELDS.get(name) ?? {};
  const isJudged = ({ caller }: WriteContext): boolean =>
    !caller.administrator || bindsAdministrators(guarded);

  @HooksOf(collection)
  class PrivilegeHooks implements CollectionHooks {
    constructor(
      private readonly snapshots: Snapshots,
      private readonly check: PrivilegeCheck,
    ) {}

    async beforeCreate(payload: Payload, context: WriteContext): Promise<Payload> {
      if (isSystem(context)) await this.check.beforeSystem(context.tx);
      return payload;
    }

    async beforeUpdate(
      payload: Payload,
      keys: readonly Key[],
      context: WriteContext,
    ): Promise<Payload> {
      if (isSystem(context)) await this.check.beforeSystem(context.tx);
      if (!isJudged(context)) return payload;
      const rows = valuesAt(await context.once(this.read), keys);
      await this.snapshots.beforeUpdate(name, rows, context);
      return payload;
    }

    private readonly read: LookUp<ReadonlyMap<Key, GuardedRow>> = (keys, context) =>
      this.snapshots.read(name, keys, context);

    async beforeDelete(keys: readonly Key[], context: WriteContext): Promise<void> {
      if (isSystem(context)) await this.check.beforeSystem(context.tx);
      if (isJudged(context)) await this.snapshots.beforeDelete(name, keys, context);
    }

    async afterCreate(keys: readonly Key[], context: WriteContext): Promise<void> {
      if (isSystem(context)) return this.check.afterSystem(context.tx);
      this.snapshots.noteCreated(name, keys, context);
    }

    async afterUpdate(_: readonly Key[], context: WriteContext): Promise<void> {
      if (isSystem(context)) await this.check.afterSystem(context.tx);
    }

    async afterDelete(_: readonly Key[], context: WriteContext): Promise<void> {
      if (isSystem(context)) await this.check.afterSystem(context.tx);
    }
  }

  return PrivilegeHooks;
}

const isSystem = ({ caller }: WriteContext): boolean => caller.system !== undefined;

export const PRIVILEGE_HOOKS: readonly Provider[] = [
  User,
  Role,
  Policy,
  Access,
  Permission,
  Settings,
].map(watching);
