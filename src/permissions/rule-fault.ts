import type { AccessFault } from '../engine';

/** The fault in a rule, with the wrong name: whoever writes rules may know which names exist. */
export function textOfFault({ reason, subject }: AccessFault): string {
  if (!subject) return reason;
  const { collection, field } = subject;
  return field === undefined
    ? `names the collection "${collection}", which does not exist`
    : `names the field "${field}", which "${collection}" does not have or conceals`;
}
