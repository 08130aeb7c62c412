import type { Caller } from '../engine';
import { HiddenCause } from '../common/errors';

/** Who reads or writes. */
export interface Acting {
  readonly caller: Caller;
  /** Whose request led to what the system does. */
  readonly requester?: Caller;
}

/** What the log shows of an error whose details the requester may not see. @param reason why the system acted */
export const causeAsSystem = (reason: string | undefined, error: Error): HiddenCause =>
  new HiddenCause(`As the system (${reason}): ${error.message}`, { cause: error });
