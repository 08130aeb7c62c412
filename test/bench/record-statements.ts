import { Client } from 'pg';
import type { RecordedStatement } from './line';

/** Loaded before the service: notes every statement that it sends, from one message to the next. */
const sent: RecordedStatement[] = [];
const { query } = Client.prototype as unknown as { query: (...args: unknown[]) => unknown };

Object.assign(Client.prototype, {
  query(this: Client, ...args: unknown[]): unknown {
    const [first, values] = args as [string | RecordedStatement, unknown[] | undefined];
    sent.push(
      typeof first === 'string'
        ? { text: first, ...(Array.isArray(values) && { values }) }
        : { text: first.text, ...(first.values && { values: first.values }) },
    );
    return query.apply(this, args);
  },
});

process.on('message', () => process.send?.(sent.splice(0)));
