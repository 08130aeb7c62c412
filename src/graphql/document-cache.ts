import { type DocumentNode, visit } from 'graphql';
import { LRUCache } from 'lru-cache';
import type { SizedCache } from '../common/metrics/metrics';

/** Bytes that the parsed documents of one schema may use, and what each uses per character of its text, with its plan. */
const MAX_BYTES = 4_000_000;
const OF_CHARACTER = 80;

/** Caches parsed and validated documents. */
export class DocumentCache {
  private readonly documents = new LRUCache<string, DocumentNode>({
    maxSize: MAX_BYTES,
    sizeCalculation: ({ loc }) => OF_CHARACTER * (loc?.source.body.length ?? MAX_BYTES),
  });

  get sized(): SizedCache {
    return this.documents;
  }

  get(key: string): Promise<DocumentNode | undefined> {
    return Promise.resolve(this.documents.get(key));
  }

  set(key: string, document: DocumentNode): Promise<void> {
    forgetTokens(document);
    this.documents.set(key, document);
    return Promise.resolve();
  }

  delete(key: string): Promise<boolean> {
    return Promise.resolve(this.documents.delete(key));
  }
}

/** The tokens are a third of a document's size, and are not read again once it is parsed. */
const forgetTokens = (document: DocumentNode): void =>
  void visit(document, {
    enter: ({ loc }) => {
      if (loc) Object.assign(loc, NO_TOKENS);
    },
  });

const NO_TOKENS = { startToken: undefined, endToken: undefined };
