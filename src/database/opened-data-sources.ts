import type { ServiceDataSource } from './data-source';

/**
 * The data sources that one start opens. Where Nest refuses a start while it still creates providers, there is no
 * application to close, and what was being opened would stay open.
 */
export class OpenedDataSources {
  private readonly begun: Promise<{ readonly dataSource: ServiceDataSource }>[] = [];
  private closed = false;

  /** @throws an Error where the start is refused already: Nest goes on creating providers for a moment */
  open<T extends { readonly dataSource: ServiceDataSource }>(
    connect: () => Promise<T>,
  ): Promise<T> {
    if (this.closed) throw new Error('The start was refused before its database was opened.');
    const opening = connect();
    this.begun.push(opening);
    return opening;
  }

  /** Closes what was opened and nobody has closed since, and refuses to open more. */
  async close(): Promise<void> {
    this.closed = true;
    for (const outcome of await Promise.allSettled(this.begun)) {
      if (outcome.status === 'rejected') continue;
      const { dataSource } = outcome.value;
      if (dataSource.isInitialized) await dataSource.destroy();
    }
  }
}
