import {
  type CollectionHooks,
  defineError,
  HooksOf,
  type Key,
  type Payload,
  type WriteContext,
} from 'doorward';
import { Category } from './category.entity';

const CategoryCircle = defineError('CATEGORY_CIRCLE', 400, 'A category cannot lie within itself.');

/** Follows the parents upwards from some categories until nothing new is found. */
const CIRCLES = `
  WITH RECURSIVE above (start, at) AS (
    SELECT id, parent FROM categories WHERE id = ANY($1::int4[])
    UNION
    SELECT above.start, next.parent FROM above JOIN categories next ON next.id = above.at
  )
  SELECT start FROM above WHERE at = start`;

/**
 * Two changes at once could each lead to the other without either seeing it: so all that set a parent wait for one another
 * here, and each then sees those before it.
 */
const ONE_BY_ONE = `
  SELECT pg_advisory_xact_lock(hashtext('categories.parent'))
   WHERE EXISTS (SELECT 1 FROM categories WHERE id = ANY($1::int4[]) AND parent IS NOT NULL)`;

/** Trims names, and refuses a category within itself. */
@HooksOf(Category)
export class CategoryHooks implements CollectionHooks {
  beforeCreate(payload: Payload): Payload {
    return trimmed(payload);
  }

  beforeUpdate(payload: Payload): Payload {
    return trimmed(payload);
  }

  /** Runs in the transaction: an error rolls the update back. */
  async afterUpdate(keys: readonly Key[], { tx }: WriteContext): Promise<void> {
    await tx.query(ONE_BY_ONE, [keys]);
    const circles = await tx.query(CIRCLES, [keys]);
    if (circles.length > 0) throw new CategoryCircle({});
  }
}

const trimmed = (payload: Payload): Payload =>
  typeof payload['name'] === 'string' ? { ...payload, name: payload['name'].trim() } : payload;
