import { Client } from 'pg';
import type { RecordedStatement } from './line';

/** Loaded before the service: records every statement that it sends, from one message to the next. */
const sent: RecordedStatement[] = [];
const { query } = Client.prototype as unknown as { query: (...args: unknown[]) => unknown };

/** Several statements that are sent at once. */
interface Statements {
  readonly statements: readonly RecordedStatement[];
}

const note = ({ text, values }: RecordedStatement): unknown =>
  sent.push({ text, ...(values && { values }) });

Object.assign(Client.prototype, {
  query(this: Client, ...args: unknown[]): unknown {
    const [first, values] = args as [string | Statements | RecordedStatement, unknown];
    if (typeof first === 'string')
      sent.push({ text: first, ...(Array.isArray(values) && { values }) });
    else for (const each of 'statements' in first ? first.statements : [first]) note(each);
    return query.apply(this, args);
  },
});

process.on('message', () => process.send?.(sent.splice(0)));
