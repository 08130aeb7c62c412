import type { BoundFilter, Decision } from '../../../engine';

/** The filters to judge on the resulting row; which cases an update's rows match was determined before. */
export const judgedFilters = ({ action, cases }: Decision): BoundFilter[] =>
  cases.flatMap(({ rows, validation }) =>
    action === 'create' ? [rows, validation] : [validation],
  );
