import type { Caller, FieldShape } from '../../engine';
import type { CollectionHooks, Payload } from '../hooks';
import type { CollectionRegistry } from '../registry/registry';
import { MAX_ITEMS } from './selected-rows';

/** One more than may be nested: what lies deeper is refused anyway. */
const MAX_DEPTH = 6;

interface Preparing {
  readonly registry: CollectionRegistry;
  readonly hooksOf: (collection: string) => CollectionHooks;
}

/** Lets the hooks of every collection that a request sends items for do beforehand what is slow. */
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

/** What is sent by collection, nested items too; in whatever form they are, since nothing is checked yet. */
class SentItems {
  readonly items = new Map<string, Payload[]>();
  private left = 2 * MAX_ITEMS;

  /** @param isWanted whether items of a collection are to be kept */
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
      // An object may speak of the junction's row, and of the related one in it.
      const { collection, far } = field.through ?? {};
      if (collection !== undefined && far !== undefined && isObject(member) && far in member) {
        this.add(collection, member, depth);
      }
    }
  }
}

const isObject = (sent: unknown): sent is Payload =>
  typeof sent === 'object' && sent !== null && !Array.isArray(sent);
