import { markLarge } from '../common/http/large-answers';
import type { Page } from '../repository/read/row-reader';

/**
 * What an operation of a collection answers. `undefined` in its place means that there is nothing to show: REST answers
 * 204, GraphQL null.
 */
export interface Answer<T = unknown> {
  /** An item, a list of items, or groups of an aggregate. */
  readonly data: T;
  /** Numbers of items, where the query asks for them by `meta`. */
  readonly meta?: { readonly total_count?: number; readonly filter_count?: number };
}

function metaOf({ total, filtered }: Page): Pick<Answer, 'meta'> {
  if (total === undefined && filtered === undefined) return {};
  return {
    meta: {
      ...(total !== undefined && { total_count: total }),
      ...(filtered !== undefined && { filter_count: filtered }),
    },
  };
}

/** The answer with all rows of a page, and its counts if the query asked for them. */
export const answerList = (page: Page): Answer => noted(page, { data: page.rows, ...metaOf(page) });

/** The caller may not be allowed to read what was written; where nothing was written, the list is empty. */
export const answerWritten = (page: Page): Answer | undefined =>
  page.rows.length > 0 || page.untouched ? answerList(page) : undefined;

/** The answer with the only row of a page; undefined without one. */
export const answerItem = (page: Page): Answer | undefined => {
  const [data] = page.rows;
  return data && noted(page, { data, ...metaOf(page) });
};

function noted({ large }: Page, answer: Answer): Answer {
  if (large === true) markLarge(answer);
  return answer;
}
