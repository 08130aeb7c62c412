import type { DocumentNode } from 'graphql';
import { LRUCache } from 'lru-cache';
import type { SizedCache } from '../common/metrics/metrics';

/** Bytes that the parsed documents of one schema may keep, and what each keeps for a character of its text. */
const ROOM = 16_000_000;
const OF_CHARACTER = 80;

/** Documents that were parsed and found valid: those that come again are not parsed again. */
export class DocumentCache {
  private readonly documents = new LRUCache<string, DocumentNode>({
    maxSize: ROOM,
    sizeCalculation: ({ loc }) => OF_CHARACTER * (loc?.source.body.length ?? ROOM),
  });

  get sized(): SizedCache {
    return this.documents;
  }

  get(key: string): Promise<DocumentNode | undefined> {
    return Promise.resolve(this.documents.get(key));
  }

  set(key: string, document: DocumentNode): Promise<void> {
    this.documents.set(key, document);
    return Promise.resolve();
  }

  delete(key: string): Promise<boolean> {
    return Promise.resolve(this.documents.delete(key));
  }
}
