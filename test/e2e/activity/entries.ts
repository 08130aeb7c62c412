import type { Reply, TestClient } from '../../support';

/** An entry of the log. */
export type Entry = Readonly<Record<string, unknown>>;

/**
 * The entries that `work` adds to the log, in order.
 * @param fields of each entry, separated by commas
 */
export async function entriesOf(
  admin: TestClient,
  fields: string,
  work: () => Promise<unknown>,
): Promise<Entry[]> {
  const last = await admin.get('/activity?sort=-id&limit=1&fields=id');
  const { id } = (last.data as unknown as Entry[])[0] ?? { id: 0 };
  await work();
  const filter = JSON.stringify({ id: { _gt: id } });
  const reply = await admin.get(`/activity?sort=id&limit=-1&filter=${filter}&fields=${fields}`);
  expect(reply.status).toBe(200);
  return reply.data as unknown as Entry[];
}

/** @throws Error where the request was refused */
export async function done(reply: Promise<Reply>): Promise<void> {
  const { status, text, codes } = await reply;
  if (status >= 300 || codes.length > 0) throw new Error(text);
}

export const brief = (entries: readonly Entry[]): unknown[] =>
  entries.map(({ action, collection, item }) => [action, collection, item]);
