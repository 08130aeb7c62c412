import type { TestClient } from './clients';
import type { Id } from './names';

/** An item with a name, as the API answers it. */
export interface Named {
  readonly id: Id;
  readonly name: string;
}

/** @throws Error where the API refuses it */
export async function patch(admin: TestClient, path: string, body: object): Promise<void> {
  const reply = await admin.patch(`${path}?fields=id`, body);
  if (reply.status !== 200) fail(`${path} ${JSON.stringify(body)}: ${reply.text}`);
}

/**
 * @param body an item, or a list of items
 * @returns the ids of what was made
 * @throws Error where the API refuses it
 */
export async function make(admin: TestClient, path: string, body: object): Promise<Id[]> {
  if (Array.isArray(body) && body.length === 0) return [];
  const reply = await admin.post(`${path}?fields=id`, body);
  if (reply.status !== 200) fail(`${path} ${JSON.stringify(body)}: ${reply.text}`);
  return ([reply.data].flat() as unknown as Named[]).map(({ id }) => id);
}

export function fail(message: string): never {
  throw new Error(message);
}
