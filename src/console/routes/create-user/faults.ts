import { ApiError } from '../../api/client';
import { faultOf, refusalInWords } from '../../api/words';
import type { Faults } from '../../components/form';
import { LABELS } from './values';

/** What the service says of the fields of the form. */
export const faultsOf = (error: unknown): Faults =>
  Object.fromEntries(
    Object.entries(LABELS).flatMap(([field, label]) => {
      const fault = faultOf(error, field, label);
      return fault === undefined ? [] : [[field, fault]];
    }),
  );

/** What it says of anything else: of fields that the form does not have, too. */
export function problemOf(error: unknown): string | undefined {
  if (!(error instanceof ApiError)) return refusalInWords(error);
  const others = [error, ...error.others].filter(({ fault: { field = '' } }) => !(field in LABELS));
  if (others.length === 0) return undefined;
  return others.map((each) => ofOtherField(each) ?? refusalInWords(each)).join(' ');
}

function ofOtherField(error: ApiError): string | undefined {
  const { field } = error.fault;
  return field === undefined ? undefined : faultOf(error, field, `«${field}»`);
}
