import { type CollectionHooks, HooksOf, type Key, type Sent, type WriteContext } from 'doorward';
import { Invoice } from './invoice.entity';

const FIELDS = ['title', 'total'];

/** Records changes to invoices as the system, so that users need no rights on the audit. */
@HooksOf(Invoice)
export class InvoiceHooks implements CollectionHooks<Invoice> {
  readonly needsBefore = true;

  beforeCreate(payload: Sent<Invoice>): Sent<Invoice> {
    const { title } = payload;
    return typeof title === 'string' ? { ...payload, title: title.trim() } : payload;
  }

  afterCreate(keys: readonly Key[], context: WriteContext): Promise<void> {
    return noteStored(keys, context);
  }

  afterUpdate(keys: readonly Key[], context: WriteContext): Promise<void> {
    return noteStored(keys, context);
  }

  async afterDelete(_: readonly Key[], context: WriteContext): Promise<void> {
    await note(await context.before(), context);
  }
}

async function noteStored(keys: readonly Key[], context: WriteContext): Promise<void> {
  const { read } = context.system('the audit reads what was written');
  const query = { filter: { id: { _in: keys } }, fields: FIELDS, limit: -1 };
  await note(await read.list('invoices', query), context);
}

async function note(
  rows: readonly Readonly<Record<string, unknown>>[],
  { system, action, caller }: WriteContext,
): Promise<void> {
  const entries = rows.map(({ title, total }) => ({
    ...{ action, title, total },
    author: caller.user,
  }));
  await system('the audit of invoices').write.create('audit_entries', entries);
}
