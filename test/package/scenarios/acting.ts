import { type Transport, type Key, rowsOf, type Answer } from './transports';
import type { Person, Stage } from './people';

/** An action and its expected result, over REST or GraphQL. Scenarios run in order. */
export interface Scenario {
  readonly name: string;
  readonly act: (stage: Stage) => Promise<unknown>;
  readonly expected: unknown;
}

type Line = readonly [quantity: string, price: string];

/** A title that is different for each transport. */
export const titled = ({ name }: Stage, title: string): string => `${title} by ${name}`;

export function keyOf({ made }: Stage, name: string): Key {
  const key = made.get(name);
  if (key === undefined) throw new Error(`${name} was not made`);
  return key;
}

/** The data, or the codes of the refusal. */
export const outcome = ({ data, codes }: Answer): unknown =>
  codes.length > 0 ? codes.join(' ') : data;

/** Creates a row, and keeps its key under a name. */
export async function make(
  stage: Stage,
  name: string,
  collection: string,
  payload: object,
): Promise<Key> {
  const answer = await stage.transport('cora').create(collection, payload, ['id']);
  if (answer.data === undefined) throw new Error(`${name} was refused: ${answer.codes.join(' ')}`);
  const key = (answer.data as { id: Key }).id;
  stage.made.set(name, key);
  return key;
}

/** Creates an invoice with its lines and a label, in one request. */
export async function draft(
  stage: Stage,
  title: string,
  lines: readonly Line[],
  more: object = {},
): Promise<unknown> {
  const payload = {
    ...{ title: titled(stage, title), customer: 'C-100', labels: [keyOf(stage, 'label')] },
    lines: lines.map(([quantity, price]) => ({ quantity, price, account: keyOf(stage, 'sales') })),
    ...more,
  };
  const fields = ['id', 'status', 'total', 'address', 'labels.name', 'lines.amount'];
  const answer = await stage.transport('ann').create('invoices', payload, fields);
  if (answer.data === undefined) return outcome(answer);
  const { id, ...rest } = answer.data as { id: Key };
  stage.made.set(title, id);
  return rest;
}

/** The audit entries about invoices with a title. */
export async function audit(stage: Stage, title: string): Promise<unknown> {
  const filter = { title: { _eq: titled(stage, title) } };
  const fields = ['action', 'total', 'author.email'];
  const answer = await stage
    .transport('cora')
    .list('audit_entries', { filter, sort: ['id'] }, fields);
  return rowsOf(answer).map(({ action, total, author }) => [
    ...[action, total],
    (author as { email: string } | null)?.email ?? null,
  ]);
}

/** The number of all rows with a title, as the administrator sees them. */
export async function count(stage: Stage, collection: string, title: string): Promise<number> {
  const filter = { title: { _eq: titled(stage, title) } };
  return rowsOf(await stage.transport('admin').list(collection, { filter }, ['id'])).length;
}

/** The results of the same request by several users. */
export async function each(
  stage: Stage,
  people: readonly Person[],
  ask: (transport: Transport) => Promise<Answer>,
): Promise<unknown[]> {
  const outcomes: unknown[] = [];
  for (const person of people) outcomes.push(outcome(await ask(stage.transport(person))));
  return outcomes;
}
