import { ApiError } from '../../api/client';
import { faultOf, refusalInWords } from '../../api/words';
import type { Faults } from '../../components/form';
import { FIELDS, labelOf } from './values';

/** The service's errors about these fields. */
export const faultsOf = (error: unknown, fields: readonly string[]): Faults =>
  Object.fromEntries(
    fields.flatMap((field) => {
      const fault = faultOf(error, field, labelOf(field));
      return fault === undefined ? [] : [[field, fault]];
    }),
  );

/** The service's errors about anything else. */
export function problemOf(error: unknown, fields: readonly string[]): string | undefined {
  const others = entriesOf(error).filter(({ fault: { field = '' } }) => !fields.includes(field));
  return others.length === 0 ? undefined : others.map(inWords).join(' ');
}

/** The fields that a project requires and the form did not have. */
export const missingIn = (error: unknown): string[] =>
  entriesOf(error).flatMap(({ fault: { field, type } }) =>
    field !== undefined && type === 'required' && !FIELDS.includes(field) ? [field] : [],
  );

const entriesOf = (error: unknown): readonly ApiError[] =>
  error instanceof ApiError ? [error, ...error.others] : [new ApiError('INTERNAL_SERVER_ERROR')];

function inWords(error: ApiError): string {
  const { field } = error.fault;
  const said = field === undefined ? undefined : faultOf(error, field, labelOf(field));
  return said ?? refusalInWords(error);
}
