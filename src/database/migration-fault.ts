import { QueryFailedError } from 'typeorm';
import { StartupError } from '../config/startup-error';

/** SQLSTATEs that blame the statement; all others are about the connection, its rights or the server. */
const OF_THE_STATEMENT = /^(?:0A|2[1-3]|2B|3F|42(?!501)|P0)/;
const LONGEST_STATEMENT = 500;

/** The detail names the rows, such as the key that two of them have. */
interface Refusal {
  readonly code?: string;
  readonly detail?: string;
}

/** What a migration failed with; where the database refused one of its statements, as a sentence that names both. */
export function migrationFault(name: string, error: unknown): unknown {
  if (!(error instanceof QueryFailedError)) return error;
  const { code = '', detail } = error.driverError as Refusal;
  if (!OF_THE_STATEMENT.test(code)) return error;
  const statement =
    error.query.length > LONGEST_STATEMENT
      ? `${error.query.slice(0, LONGEST_STATEMENT)}…`
      : error.query;
  return new StartupError(
    `The database refused the migration ${name}: ${error.message} (${code}). ${detail === undefined ? '' : `${detail} `}Fix it, or the rows on which it fails. The statement: ${statement}`,
    { cause: error },
  );
}
