import { Injectable } from '@nestjs/common';
import { type Caller, Collections, defineError } from 'doorward';

const AlreadyIssued = defineError('ALREADY_ISSUED', 409, 'The invoice has its number already.');
const NothingToPay = defineError('NOTHING_TO_PAY', 400, 'The invoice has no lines.');

const NEXT_NUMBER = `UPDATE invoicing_settings SET next_number = next_number + 1
  RETURNING prefix || (next_number - 1) AS number`;

@Injectable()
export class InvoicingService {
  constructor(private readonly collections: Collections) {}

  /**
   * Gives a draft its number, all or nothing.
   * @param caller who must be allowed to update it
   */
  issue(caller: Caller, id: string): Promise<string> {
    return this.collections.transaction(caller, async ({ read, write, system, tx }) => {
      // The settings are locked first: a concurrent request waits here, and then sees the new state.
      const [{ number }] = (await tx.query(NEXT_NUMBER)) as [{ number: string }];
      const invoice = await read.one('invoices', id, { fields: ['status', 'title', 'lines'] });
      if (invoice['status'] !== 'draft') throw new AlreadyIssued({});
      const lines = invoice['lines'] as readonly unknown[];
      if (lines.length === 0) throw new NothingToPay({});
      // As the caller, and so under their rules, before the system does what they cannot.
      await write.update('invoices', [id], { title: invoice['title'] });
      const numbered = { number, status: 'issued' };
      await system('an invoice is issued').write.update('invoices', [id], numbered);
      return number;
    });
  }
}
