import type { CollectionHooks, Key, WriteContext } from '../repository';
import { HooksOf } from '../collections';
import { InvalidPayload } from '../common/errors';
import { takeAdvisoryLock } from '../database';
import { Role } from './role.entity';

/** A lock: of two requests that would close a circle together, the second must see the change of the first. */
const LOCK = takeAdvisoryLock('roleTree');

const CIRCLE = `
  WITH RECURSIVE line(start, id) AS (
    SELECT id, parent FROM service_roles WHERE id = ANY($1::uuid[]) AND parent IS NOT NULL
    UNION
    SELECT line.start, role.parent FROM line JOIN service_roles role ON role.id = line.id
    WHERE role.parent IS NOT NULL
  )
  SELECT 1 FROM line WHERE id = start LIMIT 1`;

/** Keeps roles a tree: none may be its own ancestor. */
@HooksOf(Role)
export class RoleHooks implements CollectionHooks {
  async afterCreate(keys: readonly Key[], context: WriteContext): Promise<void> {
    await refuseCircle(keys, context);
  }

  async afterUpdate(keys: readonly Key[], context: WriteContext): Promise<void> {
    await refuseCircle(keys, context);
  }
}

async function refuseCircle(keys: readonly Key[], { tx }: WriteContext): Promise<void> {
  await tx.query(LOCK);
  const circle = await tx.query(CIRCLE, [keys]);
  if (circle.length > 0)
    throw new InvalidPayload({ field: 'parent', reason: 'would make a role its own ancestor' });
}
