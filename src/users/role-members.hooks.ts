import { HooksOf } from '../collections';
import type { CollectionHooks, Key, WriteContext } from '../repository';
import { Role } from '../roles';

const AT_ONCE = 5_000;

const RELEASE = `
  UPDATE service_users SET role = NULL WHERE id IN (
    SELECT id FROM service_users WHERE role = ANY($1::uuid[]) ORDER BY id LIMIT ${AT_ONCE} FOR UPDATE
  ) RETURNING 1`;

/**
 * Whoever has a role that is deleted has none then. The database would see to that by itself, but of a hundred thousand by
 * one statement, which takes longer than statements may.
 */
@HooksOf(Role)
export class RoleMembersHooks implements CollectionHooks {
  async beforeCascade(keys: readonly Key[], { tx }: WriteContext): Promise<void> {
    let released = AT_ONCE;
    while (released === AT_ONCE) released = (await tx.query(RELEASE, [keys])).length;
  }
}
