import type { BoundFilter, Decision } from '../../engine';

/** What is judged on the resulting row: which cases an update's rows match was found out before. */
export const judgedFilters = ({ action, cases }: Decision): BoundFilter[] =>
  cases.flatMap(({ rows, validation }) =>
    action === 'create' ? [rows, validation] : [validation],
  );
