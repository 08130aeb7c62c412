import { type CollectionHooks, defineError, HooksOf, type Key, type WriteContext } from 'doorward';
import { InvoiceLine } from './invoice-line.entity';

const CreditLimitExceeded = defineError(
  'CREDIT_LIMIT_EXCEEDED',
  422,
  'The invoice is beyond what the customer may owe.',
);

/** The sum of an invoice's lines, and its customer's credit limit. */
const SUMS = `
  SELECT invoice.id, customer.cr_limit AS credit_limit,
    coalesce(sum(round(line.quantity * line.price, 2)), 0) AS total,
    coalesce(sum(round(line.quantity * line.price, 2)), 0) > customer.cr_limit AS exceeded
  FROM invoices invoice
  JOIN tbl_customer customer ON customer.cust_no = invoice.customer
  LEFT JOIN invoice_lines line ON line.invoice = invoice.id
  WHERE invoice.id = ANY ($1::int4[])
  GROUP BY invoice.id, customer.cr_limit`;

interface Sum {
  readonly id: number;
  readonly total: string;
  readonly exceeded: boolean;
}

/** Sets the total of an invoice to the sum of its lines, and refuses more than the customer's credit limit. */
@HooksOf(InvoiceLine)
export class InvoiceLineHooks implements CollectionHooks<InvoiceLine> {
  readonly needsBefore = true;

  async afterCreate(keys: readonly Key[], context: WriteContext): Promise<void> {
    const { read } = context.system('the invoices of new lines');
    const query = { filter: { id: { _in: keys } }, fields: ['invoice'], limit: -1 };
    await addUp(await read.list('invoice_lines', query), context);
  }

  async afterUpdate(_: readonly Key[], context: WriteContext): Promise<void> {
    await addUp(await context.before(), context);
  }

  async afterDelete(_: readonly Key[], context: WriteContext): Promise<void> {
    await addUp(await context.before(), context);
  }
}

async function addUp(
  lines: readonly Readonly<Record<string, unknown>>[],
  { system, tx }: WriteContext,
): Promise<void> {
  const invoices = [...new Set(lines.map(({ invoice }) => invoice))];
  const { write } = system('an invoice is what its lines come to');
  for (const { id, total, exceeded } of await tx.query<Sum>(SUMS, [invoices])) {
    await write.update('invoices', [id], { total });
    if (exceeded) throw new CreditLimitExceeded({});
  }
}
