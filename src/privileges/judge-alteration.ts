import { isDeepStrictEqual } from 'node:util';
import { Forbidden, InvalidPayload } from '../common/errors';
import type { Caller } from '../engine';
import type { Alteration, Fact } from './fact';
import type { GuardedFields } from './guarded-fields';
import { addsGuardedPresets } from './guarded-presets';

/** The guarded fields that changed; for a new row, those that differ from the defaults. */
export function alteredFields(
  { before, after }: Alteration,
  { initial = {}, ...guarded }: GuardedFields,
): string[] {
  if (!after) return [];
  const { fixed = [], administered = {}, granting = [], account = [] } = guarded;
  const fields = [...fixed, ...Object.keys(administered), ...granting, ...account];
  const was = before?.state ?? {
    date_created: after.state['now'],
    tfa_secret: null,
    ...administered,
    ...initial,
  };
  return fields.filter((field) => !isDeepStrictEqual(was[field], after.state[field]));
}

/** Whether the verdict depends on the rights of others, which must not change meanwhile. */
export function concernsOthers(
  alteration: Alteration,
  guarded: GuardedFields,
  caller: Caller,
): boolean {
  if (caller.administrator) return false;
  const { before, after } = alteration;
  if (!after) return true;
  const { granting = [], account = [] } = guarded;
  const decisive = before && !isOwn(after, caller) ? [...granting, ...account] : granting;
  return alteredFields(alteration, guarded).some((field) => decisive.includes(field));
}

/**
 * No one gains rights by writing. Whatever a request did, in any order: each row that grants or withholds rights, or is
 * another's account, is compared before and after.
 * @throws Forbidden that names the field; InvalidPayload for a field that no item operation sets
 */
export function judgeAlteration(
  alteration: Alteration,
  guarded: GuardedFields,
  caller: Caller,
): void {
  const altered = alteredFields(alteration, guarded);
  const fixed = guarded.fixed?.find((field) => altered.includes(field));
  if (fixed !== undefined) throw new InvalidPayload({ field: fixed, reason: 'is read-only' });
  if (caller.administrator) return;
  if (alteration.after) judgeWritten(alteration, altered, guarded, caller);
  else judgeDeleted(alteration, guarded, caller);
}

function judgeWritten(
  { before, after }: Alteration,
  altered: readonly string[],
  { administered = {}, granting = [], account = [] }: GuardedFields,
  caller: Caller,
): void {
  const field = altered.find((name) => Object.hasOwn(administered, name));
  if (field !== undefined) throw new Forbidden({ field });
  const grantingField = altered.find((name) => granting.includes(name));
  const accountField = altered.find((name) => account.includes(name));
  const exceeds = before?.exceeds === true || after?.exceeds === true;
  if (grantingField !== undefined && (exceeds || detaches({ before, after })))
    throw new Forbidden({ field: grantingField });
  if (accountField !== undefined && exceeds && !isOwn(after, caller))
    throw new Forbidden({ field: accountField });
  if (grantingField !== undefined && addsGuardedPresets({ before, after }))
    throw new Forbidden({ field: 'presets' });
}

/** Users may delete their own account. */
function judgeDeleted({ before }: Alteration, { account }: GuardedFields, caller: Caller): void {
  if (!before || (account && isOwn(before, caller))) return;
  const isAccount = account !== undefined;
  if (before.exceeds || (!isAccount && before.enforcing.length > 0)) throw new Forbidden({});
}

const detaches = ({ before, after }: Alteration): boolean =>
  before?.enforcing.some((policy) => !after?.enforcing.includes(policy)) === true;

const isOwn = (fact: Fact | undefined, { user }: Caller): boolean =>
  user !== null && fact?.id === user;
