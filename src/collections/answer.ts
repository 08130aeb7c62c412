import { markLarge } from '../common/http/large-answers';
import type { Page } from '../repository/read/row-reader';

/** What an operation is answered with; nothing to say is no answer, which REST shows as 204. */
export interface Answer<T = unknown> {
  readonly data: T;
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

export const answerList = (page: Page): Answer => noted(page, { data: page.rows, ...metaOf(page) });

/** Of what was written the caller may be allowed to read nothing; where nothing was, the list is empty. */
export const answerWritten = (page: Page): Answer | undefined =>
  page.rows.length > 0 || page.untouched ? answerList(page) : undefined;

export const answerItem = (page: Page): Answer | undefined => {
  const [data] = page.rows;
  return data && noted(page, { data, ...metaOf(page) });
};

function noted({ large }: Page, answer: Answer): Answer {
  if (large === true) markLarge(answer);
  return answer;
}
