import type { AccessFault } from '../engine';

/** Whoever writes rules may know which names there are: the administrator is told which one is wrong. */
export function tellFault({ reason, subject }: AccessFault): string {
  if (!subject) return reason;
  const { collection, field } = subject;
  return field === undefined
    ? `names the collection "${collection}", which does not exist`
    : `names the field "${field}", which "${collection}" does not have or conceals`;
}
