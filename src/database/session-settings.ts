import { Logger } from '@nestjs/common';
import type { DataSource } from 'typeorm';
import { StartupError } from '../config/startup-error';
import type { Timeouts } from './connection-options';

const SETTINGS = `
  SELECT current_setting('TimeZone') AS zone, current_setting('DateStyle') AS style, current_setting('jit') AS jit,
    current_setting('default_transaction_isolation') AS isolation,
    current_setting('extra_float_digits')::int > 0 AS exact, current_setting('quote_all_identifiers') AS quoted,
    current_setting('standard_conforming_strings') AS literal, current_setting('array_nulls') AS nulls,
    current_setting('statement_timeout')::interval = $1 * interval '1 ms' AS statement,
    current_setting('lock_timeout')::interval = $2 * interval '1 ms' AS lock,
    current_setting('session_replication_role') AS triggers`;

interface Settings {
  readonly zone: string;
  readonly style: string;
  readonly jit: string;
  readonly isolation: string;
  readonly exact: boolean;
  readonly quoted: string;
  readonly literal: string;
  readonly nulls: string;
  readonly statement: boolean;
  readonly lock: boolean;
  readonly triggers: string;
}

const logger = new Logger('Database');

/**
 * Checks that sessions have the settings sent at start-up, which a pooler may not pass on.
 * @throws StartupError where answers would be wrong; settings that only cost time are a warning
 */
export async function checkSessionSettings(
  dataSource: DataSource,
  { statement, lock }: Timeouts,
): Promise<void> {
  const [found] = await dataSource.query<Settings[]>(SETTINGS, [statement, lock]);
  if (found === undefined) return;
  // Only a superuser may set it, so that it cannot be sent with a new connection.
  if (found.triggers !== 'origin') throw new StartupError(withoutTriggers(found.triggers));
  const wrong = [
    ...(/^(etc\/)?(utc|uct|gmt|zulu|universal)$/i.test(found.zone) ? [] : ["TimeZone = 'UTC'"]),
    ...(found.style.startsWith('ISO') ? [] : ["DateStyle = 'ISO'"]),
    ...(found.isolation === 'read committed'
      ? []
      : ["default_transaction_isolation = 'read committed'"]),
    ...(found.exact ? [] : ['extra_float_digits = 1']),
    ...(found.quoted === 'off' ? [] : ['quote_all_identifiers = off']),
    ...(found.literal === 'on' ? [] : ['standard_conforming_strings = on']),
    ...(found.nulls === 'on' ? [] : ['array_nulls = on']),
  ];
  const lacking = [
    ...(found.jit === 'off' ? [] : ['jit = off']),
    ...(found.statement ? [] : [`statement_timeout = ${statement}`]),
    ...(found.lock ? [] : [`lock_timeout = ${lock}`]),
  ];
  if (wrong.length > 0) throw new StartupError(remedy([...wrong, ...lacking]));
  if (lacking.length > 0) logger.warn(remedy(lacking));
}

const withoutTriggers = (found: string): string =>
  `The database sessions have session_replication_role = ${found}: no trigger runs in them, so that references would not be checked, and withdrawn rights would stay in force. Remove it by ALTER ROLE … RESET session_replication_role, from the database, and from \`options\` in DATABASE_URL.`;

const remedy = (settings: readonly string[]): string =>
  `The database sessions lack settings that the service needs: a pooler opens them, or \`options\` in DATABASE_URL overrides these settings. Remove such options, and where a pooler opens the sessions, let each begin with \`${settings
    .map((setting) => `SET ${setting}`)
    .join(
      '; ',
    )}\` (connect_query of PgBouncer), or give the database these settings by ALTER DATABASE, and restart the pooler's sessions.`;
