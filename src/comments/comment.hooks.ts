import { HooksOf } from '../collections';
import { FailedValidation } from '../common/errors';
import type { CollectionHooks, Key, LookUp, Payload, WriteContext } from '../repository';
import { CommentTargets } from './comment-targets';
import { Comment } from './comment.entity';

const UPDATED = 'UPDATE service_comments SET date_updated = now() WHERE id = ANY($1::uuid[])';

/** A comment needs an item that its author may comment on, and cannot be moved to another. */
@HooksOf(Comment)
export class CommentHooks implements CollectionHooks {
  constructor(private readonly targets: CommentTargets) {}

  beforeCreate(payload: Payload, { caller }: WriteContext): Payload {
    refuseBlank(payload);
    // For other authors the preset of their rule sets it.
    return caller.administrator ? { user_created: caller.user, ...payload } : payload;
  }

  /** Checks the stored rows, since presets may have set the item. */
  afterCreate(keys: readonly Key[], { caller, tx }: WriteContext): Promise<void> {
    return this.targets.check(caller, 'comment', keys, tx);
  }

  async beforeUpdate(
    payload: Payload,
    keys: readonly Key[],
    { caller, tx, once }: WriteContext,
  ): Promise<Payload> {
    // Whether they may see the comments comes first: other faults would reveal that a hidden comment exists.
    if (!caller.administrator && !(await once(this.areReadable)))
      await this.targets.check(caller, 'read', keys, tx);
    refuseBlank(payload);
    return payload;
  }

  async afterUpdate(keys: readonly Key[], { tx }: WriteContext): Promise<void> {
    await tx.query(UPDATED, [keys]);
  }

  /** Administrators may also delete comments whose item is gone. */
  async beforeDelete(keys: readonly Key[], { caller, tx }: WriteContext): Promise<void> {
    if (!caller.administrator) await this.targets.check(caller, 'read', keys, tx);
  }

  /** Whether the caller may read the items of all the comments that are updated. */
  private readonly areReadable: LookUp<boolean> = (keys, { caller, tx }) =>
    this.targets.reaches(caller, 'read', keys, tx);
}

function refuseBlank({ comment }: Payload): void {
  if (typeof comment === 'string' && comment.trim() === '') {
    throw new FailedValidation({ field: 'comment', type: 'nempty' });
  }
}
