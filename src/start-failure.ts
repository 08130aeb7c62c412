import { RuntimeException } from '@nestjs/core/errors/exceptions/index.js';
import { CommandFault } from './common/command';
import { StartupError } from './config/startup-error';
import { connectionFailure } from './database/connection-failure';
import { TAKES_NO_WRITES } from './database/refuse-read-only';

type Code = NodeJS.ErrnoException;

const endedBy = (setting: string): string =>
  `The database ended a session of the start: ${setting} of the server, the database or the role is too short for it. Raise it, or set it to 0.`;

/** Sentences by the code with which PostgreSQL refuses a statement of a start. */
const REFUSED: Readonly<Record<string, string>> = {
  '42501':
    'The role in DATABASE_URL may not do what the start needs: it must own the database and the tables in it. Restore a backup as that role (pg_restore --no-owner), or give it every table by ALTER TABLE … OWNER TO ….',
  '25006': TAKES_NO_WRITES,
  '55P03':
    'The start waited too long for a lock that another session holds. Find that session in pg_stat_activity, or raise LOCK_TIMEOUT.',
  '57014': 'A statement of the start took too long. Raise STATEMENT_TIMEOUT.',
  '25P03': endedBy('idle_in_transaction_session_timeout'),
  '25P04': endedBy('transaction_timeout'),
  '57P05': endedBy('idle_session_timeout'),
};
const UNWRITABLE = new Set(['EACCES', 'EPERM', 'EROFS', 'ENOSPC', 'EDQUOT', 'ENOTDIR', 'EEXIST']);

/**
 * What an operator is shown of a failed start: a sentence where they can fix it, without anything that may be
 * secret. Anything else is a fault of ours: the error itself, with its stack.
 */
export function failureText(error: unknown): unknown {
  if (error instanceof StartupError || error instanceof CommandFault) return error.message;
  if (!(error instanceof Error)) return error;
  if (error instanceof RuntimeException) return firstParagraph(error.message);
  const { code = '', path } = error as Code;
  const refused = REFUSED[code];
  if (refused !== undefined) return `${refused} (${code})`;
  const unconnected = connectionFailure(error);
  if (unconnected !== undefined) return unconnected;
  if (UNWRITABLE.has(code) && path !== undefined) {
    return `${path} cannot be written. Set DATA_DIR to a folder that can be written. (${code})`;
  }
  return error.cause === undefined ? error : causeText(error);
}

/** Nest says first which provider of a team's module is missing, and where; its guesses and its stack do not help. */
const firstParagraph = (message: string): string =>
  (message.split(/\n\s*\n/)[0] ?? '').replaceAll(/\s*\n\s*/g, ' ').trim();

/** The sentence for the cause, if there is one; otherwise the error. */
function causeText(error: Error): unknown {
  const text = failureText(error.cause);
  return typeof text === 'string' ? text : error;
}
