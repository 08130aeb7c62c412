import { isDeepStrictEqual } from 'node:util';
import { Forbidden, InvalidPayload } from '../common/errors';
import type { Caller } from '../engine';
import type { GuardedChange, GuardedRow } from './guarded-row';
import type { GuardedFields } from './guarded-fields';
import { addsGuardedPresets } from './guarded-presets';

/** The guarded fields that changed; for a new row, those that differ from the defaults. */
export function changedFields(
  { before, after }: GuardedChange,
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
  change: GuardedChange,
  guarded: GuardedFields,
  caller: Caller,
): boolean {
  if (caller.administrator) return false;
  const { before, after } = change;
  if (!after) return true;
  const { granting = [], account = [] } = guarded;
  const decisive = before && !isOwn(after, caller) ? [...granting, ...account] : granting;
  return changedFields(change, guarded).some((field) => decisive.includes(field));
}

/**
 * No one gains rights by writing. Whatever a request did, in any order: each row that grants or withholds rights, or is
 * another's account, is compared before and after.
 * @throws Forbidden that names the field; InvalidPayload for a field that no item operation sets
 */
export function judgeChange(change: GuardedChange, guarded: GuardedFields, caller: Caller): void {
  const changed = changedFields(change, guarded);
  const fixed = guarded.fixed?.find((field) => changed.includes(field));
  if (fixed !== undefined) throw new InvalidPayload({ field: fixed, reason: 'is read-only' });
  if (caller.administrator) return;
  if (change.after) judgeWritten(change, changed, guarded, caller);
  else judgeDeleted(change, guarded, caller);
}

function judgeWritten(
  { before, after }: GuardedChange,
  changed: readonly string[],
  { administered = {}, granting = [], account = [] }: GuardedFields,
  caller: Caller,
): void {
  const field = changed.find((name) => Object.hasOwn(administered, name));
  if (field !== undefined) throw new Forbidden({ field });
  const grantingField = changed.find((name) => granting.includes(name));
  const accountField = changed.find((name) => account.includes(name));
  const exceeds = before?.exceeds === true || after?.exceeds === true;
  if (grantingField !== undefined && (exceeds || detaches({ before, after })))
    throw new Forbidden({ field: grantingField });
  if (accountField !== undefined && exceeds && !isOwn(after, caller))
    throw new Forbidden({ field: accountField });
  if (grantingField !== undefined && addsGuardedPresets({ before, after }))
    throw new Forbidden({ field: 'presets' });
}

/** Users may delete their own account. */
function judgeDeleted({ before }: GuardedChange, { account }: GuardedFields, caller: Caller): void {
  if (!before || (account && isOwn(before, caller))) return;
  const isAccount = account !== undefined;
  if (before.exceeds || (!isAccount && before.enforcing.length > 0)) throw new Forbidden({});
}

const detaches = ({ before, after }: GuardedChange): boolean =>
  before?.enforcing.some((policy) => !after?.enforcing.includes(policy)) === true;

const isOwn = (row: GuardedRow | undefined, { user }: Caller): boolean =>
  user !== null && row?.id === user;
