import type { FieldShape } from '../../../engine';
import type { Payload } from '../../write-context';
import type { CollectionRegistry } from '../../registry/registry';
import { MAX_NESTED } from './nested-items';
import { isPayload, MAX_ITEMS } from './selection-body';
import { isObject } from '../../../common/is-object';

/** Deeper items are refused anyway. */
const MAX_DEPTH = MAX_NESTED + 1;

/** The sent items by collection, including nested ones, in any form, since nothing has been checked yet. */
export class SentItems {
  readonly items = new Map<string, Payload[]>();
  private left = 2 * MAX_ITEMS;

  /** @param isWanted whether to collect items of a collection */
  constructor(
    private readonly registry: CollectionRegistry,
    private readonly isWanted: (collection: string) => boolean,
  ) {}

  add(name: string, sent: unknown, depth: number): void {
    const collection = this.registry.get(name);
    if (!collection || !isPayload(sent) || depth > MAX_DEPTH || this.left === 0) return;
    this.left -= 1;
    if (this.isWanted(name)) this.take(name).push(sent);
    this.addNested(name, sent, depth);
  }

  /** The same without the item itself. */
  addNested(name: string, sent: unknown, depth: number): void {
    const collection = this.registry.get(name);
    if (!collection || !isPayload(sent)) return;
    for (const [field, value] of Object.entries(sent)) {
      if (!isObject(value)) continue;
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
      const { collection, targetForeignKey } = field.through ?? {};
      if (
        collection !== undefined &&
        targetForeignKey !== undefined &&
        isPayload(member) &&
        targetForeignKey in member
      ) {
        this.add(collection, member, depth);
      }
    }
  }
}
