import type { Cell } from '../../../src/engine';
import type { SentRow, Write } from '../world';
import { pageOf } from './answer';
import { covered, rulesFor } from './judging';
import { isFilterAllowed, namesOf } from './names';
import { type Outcome, Request } from './request';
import { unmasked } from './sent';
import { mayRead, type Views } from './virtual';

/** What a write does to the stored tables under the caller's rules. */
export function outcome(write: Write, views: Views): Outcome {
  const request = new Request(views);
  const { collection } = write;
  const action = write.kind.split(' ')[0] ?? '';
  if (rulesFor(views.world, collection, action).length === 0) request.refuse('FORBIDDEN');
  return request.outcome(written(request, write, views));
}

/** @returns the keys of the rows that it was sent for, except deleted ones */
function written(request: Request, write: Write, views: Views): readonly Cell[] {
  const { collection } = write;
  switch (write.kind) {
    case 'create':
      return write.payloads.map((payload) => request.create(collection, payload));
    case 'update each':
      for (const { key, payload } of write.updates) request.update(collection, key, payload);
      return write.updates.map(({ key }) => key);
    case 'update':
    case 'update selected': {
      const keys = write.kind === 'update' ? write.keys : selected(request, write, views);
      if (keys.length === 0) nothingUpdated(request, collection, write.payload, views);
      for (const key of keys) request.update(collection, key, write.payload);
      return keys;
    }
    case 'delete':
    case 'delete selected':
      request.delete(
        collection,
        write.kind === 'delete' ? write.keys : selected(request, write, views),
      );
      return [];
  }
}

/** Rows are selected in the caller's virtual table. */
function selected(
  request: Request,
  { collection, filter, page, shown }: Extract<Write, { filter: object }>,
  views: Views,
): readonly Cell[] {
  const { world } = views;
  if (Object.keys(shown).length > 0) request.refuse('INVALID_QUERY');
  const mayAsk = mayRead(world, collection) && isFilterAllowed(filter, collection, namesOf(world));
  if (!mayAsk) {
    request.refuse('FORBIDDEN');
    return [];
  }
  return pageOf({ filter, ...page }, collection, views).map(({ key }) => key);
}

/** The payload is checked even if there is no row for it. */
function nothingUpdated(request: Request, collection: string, sent: SentRow, views: Views): void {
  const rules = rulesFor(views.world, collection, 'update');
  const payload = unmasked(sent, collection, rules);
  if (!covered(Object.keys(payload), rules)) request.refuse('FORBIDDEN');
  request.parts(collection, payload);
}
