import { HooksOf } from '../collections';
import { FailedValidation } from '../common/errors';
import type { CollectionHooks, Key, Payload, WriteContext } from '../repository';
import { CommentTargets } from './comment-targets';
import { Comment } from './comment.entity';

const UPDATED = 'UPDATE service_comments SET date_updated = now() WHERE id = ANY($1::uuid[])';

/** A comment needs an item that its author may comment on, and cannot be moved to another. */
@HooksOf(Comment)
export class CommentHooks implements CollectionHooks {
  constructor(private readonly targets: CommentTargets) {}

  beforeCreate(payload: Payload, { caller }: WriteContext): Payload {
    refuseBlank(payload);
    // For others a preset sets it.
    return caller.administrator ? { user_created: caller.user, ...payload } : payload;
  }

  /** On the stored rows, since presets may set the item. */
  afterCreate(keys: readonly Key[], { caller, tx }: WriteContext): Promise<void> {
    return this.targets.check(keys, 'comment', caller, tx);
  }

  async beforeUpdate(
    payload: Payload,
    keys: readonly Key[],
    { caller, tx }: WriteContext,
  ): Promise<Payload> {
    // First: what else is wrong is told only of a comment that is there for them.
    if (!caller.administrator) await this.targets.check(keys, 'read', caller, tx);
    refuseBlank(payload);
    return payload;
  }

  async afterUpdate(keys: readonly Key[], { tx }: WriteContext): Promise<void> {
    await tx.query(UPDATED, [keys]);
  }

  /** Administrators may also delete comments whose item is gone. */
  async beforeDelete(keys: readonly Key[], { caller, tx }: WriteContext): Promise<void> {
    if (!caller.administrator) await this.targets.check(keys, 'read', caller, tx);
  }
}

function refuseBlank({ comment }: Payload): void {
  if (typeof comment === 'string' && comment.trim() === '') {
    throw new FailedValidation({ field: 'comment', type: 'nempty' });
  }
}
