import type { Caller, FieldShape } from '../../engine';
import type { CollectionHooks, Payload } from '../hooks';
import type { CollectionRegistry } from '../registry/registry';
import { MAX_ITEMS } from './selected-rows';

/** One more than may be nested: deeper items are refused anyway. */
const MAX_DEPTH = 6;

interface Preparing {
  readonly registry: CollectionRegistry;
  readonly hooksOf: (collection: string) => CollectionHooks;
}

/** Lets the hooks of every collection in a request do their slow work beforehand. */
export async function preparePayloads(
  { registry, hooksOf }: Preparing,
  collection: string,
  payloads: readonly unknown[],
  caller: Caller,
): Promise<void> {
  const sent = new SentItems(registry, (name) => hooksOf(name).prepare !== undefined);
  for (const payload of payloads) sent.add(collection, payload, 0);
  for (const [name, items] of sent.items) await hooksOf(name).prepare?.(items, caller);
}

/** The sent items by collection, including nested ones, in any form, since nothing has been checked yet. */
class SentItems {
  readonly items = new Map<string, Payload[]>();
  private left = 2 * MAX_ITEMS;

  /** @param isWanted whether to collect items of a collection */
  constructor(
    private readonly registry: CollectionRegistry,
    private readonly isWanted: (collection: string) => boolean,
  ) {}

  add(name: string, sent: unknown, depth: number): void {
    const collection = this.registry.get(name);
    if (!collection || !isObject(sent) || depth > MAX_DEPTH || this.left === 0) return;
    this.left -= 1;
    if (this.isWanted(name)) this.take(name).push(sent);
    for (const [field, value] of Object.entries(sent)) {
      if (typeof value !== 'object' || value === null) continue;
      const shape = collection.fields.get(field);
      if (shape) this.addRelated(shape, value, depth + 1);
    }
  }

  private take(name: string): Payload[] {
    const known = this.items.get(name) ?? [];
    this.items.set(name, known);
    return known;
  }

  private addRelated(field: FieldShape, sent: object, depth: number): void {
    if (field.kind === 'to-one') this.add(field.target, sent, depth);
    if (field.kind !== 'to-many') return;
    const lists = Array.isArray(sent) ? [sent] : Object.values(sent).filter(Array.isArray);
    for (const member of lists.flat() as unknown[]) {
      this.add(field.target, member, depth);
      // An object may mean the junction's row, with the related row inside it.
      const { collection, far } = field.through ?? {};
      if (collection !== undefined && far !== undefined && isObject(member) && far in member) {
        this.add(collection, member, depth);
      }
    }
  }
}

const isObject = (sent: unknown): sent is Payload =>
  typeof sent === 'object' && sent !== null && !Array.isArray(sent);
