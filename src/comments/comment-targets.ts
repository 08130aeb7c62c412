import { Injectable } from '@nestjs/common';
import { Collections } from '../collections';
import { Forbidden } from '../common/errors';
import type { Queries } from '../database';
import type { Caller } from '../engine';
import type { Key } from '../repository';

interface Target {
  readonly collection: string;
  readonly item: string;
}

const TARGETS = 'SELECT DISTINCT collection, item FROM service_comments WHERE id = ANY($1::uuid[])';

/** Finds the items that comments are about, and checks the caller's rights to them. */
@Injectable()
export class CommentTargets {
  constructor(private readonly collections: Collections) {}

  /**
   * Checks that the caller may read the items of these comments, or comment on them: then no one else can delete them
   * until the transaction ends.
   * @param comments keys of comments
   * @throws Forbidden where the caller may not do this to an item, or it does not exist
   */
  async check(
    caller: Caller,
    action: 'read' | 'comment',
    comments: readonly Key[],
    tx: Queries,
  ): Promise<void> {
    if (!(await this.reaches(caller, action, comments, tx))) throw new Forbidden({});
  }

  /** The same without an error. */
  async reaches(
    caller: Caller,
    action: 'read' | 'comment',
    comments: readonly Key[],
    tx: Queries,
  ): Promise<boolean> {
    const targets = await tx.query<Target>(TARGETS, [comments]);
    for (const [collection, items] of byCollection(targets)) {
      const { registry } = this.collections;
      if (registry.get(collection)?.about) return false;
      // The request that deletes an item removes its comments, and cannot see one that is not committed yet.
      const lock = action === 'comment';
      const may = await this.collections.reaches(caller, action, collection, items, { tx, lock });
      if (!may) return false;
    }
    return true;
  }
}

function byCollection(targets: readonly Target[]): ReadonlyMap<string, string[]> {
  const found = new Map<string, string[]>();
  for (const { collection, item } of targets) {
    found.set(collection, [...(found.get(collection) ?? []), item]);
  }
  return found;
}
