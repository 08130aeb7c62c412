import { HooksOf } from '../collections';
import type { CollectionHooks, Key, WriteContext } from '../repository';
import { Role } from '../roles';

const BATCH_SIZE = 5_000;

const RELEASE = `
  UPDATE service_users SET role = NULL WHERE id IN (
    SELECT id FROM service_users WHERE role = ANY($1::uuid[]) ORDER BY id LIMIT ${BATCH_SIZE} FOR UPDATE
  ) RETURNING 1`;

/**
 * Clears the role of its users before it is deleted. The database would do so itself, but for a hundred thousand users
 * in one statement, which would exceed the time limit.
 */
@HooksOf(Role)
export class RoleMembersHooks implements CollectionHooks {
  async beforeCascade(keys: readonly Key[], { tx }: WriteContext): Promise<void> {
    let released = BATCH_SIZE;
    while (released === BATCH_SIZE) released = (await tx.query(RELEASE, [keys])).length;
  }
}
