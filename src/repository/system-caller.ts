import { Caller, type Schema } from '../engine';

/** Characters of a reason that the log keeps. */
const MAX_REASON = 255;

/**
 * A caller who may do everything, for what the service does on its own initiative: the only way around the rules.
 * @param reason why, for the log, which keeps its first 255 characters
 */
export function systemCaller(schema: Schema, reason: string, now = new Date()): Caller {
  const system = reason.replaceAll('\0', '').trim().slice(0, MAX_REASON);
  if (system === '')
    throw new Error('Acting as the system needs a reason, and the given one is empty');
  const identity = {
    user: null,
    role: null,
    roles: [],
    ip: null,
    now,
    session: null,
    staticToken: null,
  };
  const variables = { now, valueOf: () => null };
  const rights = { administrator: true, policies: [], rules: new Map(), variables, system };
  return new Caller(identity, schema, rights);
}
