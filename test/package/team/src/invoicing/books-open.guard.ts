import { type CanActivate, Injectable } from '@nestjs/common';
import { Collections, defineError } from 'doorward';

const BooksClosed = defineError('BOOKS_CLOSED', 403, 'The books are closed.');

/** Refuses all requests while the books are closed. */
@Injectable()
export class BooksOpenGuard implements CanActivate {
  constructor(private readonly collections: Collections) {}

  async canActivate(): Promise<boolean> {
    const system = this.collections.asSystem('are the books open?');
    const [settings] = await this.collections.transaction(system, ({ read }) =>
      read.list('invoicing_settings', { fields: ['books_open'] }),
    );
    if (settings?.['books_open'] === true) return true;
    throw new BooksClosed({});
  }
}
