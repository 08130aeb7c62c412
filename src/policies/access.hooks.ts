import type { CollectionHooks, Values, WriteContext } from '../repository';
import { HooksOf } from '../collections';
import { FailedValidation } from '../common/errors';
import { Access } from './access.entity';

const BEARERS = ['user', 'role'];

/** The database refuses a user and a role in one row too, but its error would name no field. */
@HooksOf(Access)
export class AccessHooks implements CollectionHooks {
  async toStored(values: Values, context: WriteContext): Promise<Values> {
    const sent = BEARERS.filter((each) => values.has(each));
    const field = sent.at(-1);
    if (field === undefined) return values;
    const isWhole = context.action === 'create' || sent.length === BEARERS.length;
    const rows = isWhole ? [{}] : await context.before();
    for (const row of rows) {
      const stored: Values = new Map([...Object.entries(row), ...values]);
      if (BEARERS.every((each) => (stored.get(each) ?? null) !== null))
        throw new FailedValidation({ field, type: 'null' });
    }
    return values;
  }
}
