import { functionInputs } from '../../engine';
import type { BoundQuery } from './query';

/** How many values are read for each row of a query, including the inputs of computed fields. */
export const widthOf = ({ fields, relations }: BoundQuery): number =>
  fields.reduce((sum, { field }) => sum + (functionInputs(field)?.length ?? 0), fields.length) +
  relations.length;
