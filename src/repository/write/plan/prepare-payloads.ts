import type { Caller } from '../../../engine';
import type { RepositorySetting } from '../../repository-setting';
import { SentItems } from './sent-items';

/** Lets the hooks of every collection in a request do their slow work beforehand. */
export async function preparePayloads(
  { registry, hooksOf }: Pick<RepositorySetting, 'registry' | 'hooksOf'>,
  collection: string,
  payloads: readonly unknown[],
  caller: Caller,
): Promise<void> {
  const sent = new SentItems(registry, (name) => hooksOf(name).prepare !== undefined);
  for (const payload of payloads) sent.add(collection, payload, 0);
  for (const [name, items] of sent.items) await hooksOf(name).prepare?.(items, caller);
}
