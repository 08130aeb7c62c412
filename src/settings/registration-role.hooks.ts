import { HooksOf } from '../collections';
import { InvalidForeignKey } from '../common/errors';
import type { CollectionHooks, Key, WriteContext } from '../repository';

const COLLECTION = 'service_settings';
const FIELD = 'public_registration_role';

const NAMED = `SELECT 1 FROM service_settings WHERE public_registration_role = ANY($1::uuid[])`;

/**
 * The database refuses to delete a role that the settings refer to. Callers who may read that setting are told which
 * one it is.
 */
@HooksOf('service_roles')
export class RegistrationRoleHooks implements CollectionHooks {
  async beforeDelete(keys: readonly Key[], { caller, tx }: WriteContext): Promise<void> {
    if (!caller.readable.field(COLLECTION, FIELD)) return;
    const named = await tx.query(NAMED, [keys]);
    if (named.length > 0) throw new InvalidForeignKey({ collection: COLLECTION, field: FIELD });
  }
}
