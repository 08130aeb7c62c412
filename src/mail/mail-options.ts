import { join } from 'node:path';
import type { MailerOptions } from '@nestjs-modules/mailer';
import type { AppConfig } from '../config/app-config';
import { noTransport, outboxTransport } from './mail-transports';

const MINUTE = 60_000;

/**
 * Milliseconds. A server may take ten minutes to confirm a mail (RFC 5321, 4.5.3.2.6): a client that leaves earlier cannot
 * know the result, and would send the mail again. SMTP_URL may set another time.
 */
const SMTP_TIMEOUTS_MS = {
  connectionTimeout: 10_000,
  greetingTimeout: 10_000,
  socketTimeout: 10 * MINUTE,
};
/** More than the other times together: for a server that is slow at every step. */
const SEND_TIMEOUT = 15 * MINUTE;

/** No template and no context: mails are already rendered. */
export function mailerOptions(config: AppConfig): MailerOptions {
  switch (config.mailTransport) {
    case 'smtp':
      return { transport: withTimeouts(config.smtpUrl ?? ''), sendTimeout: SEND_TIMEOUT };
    case 'outbox':
      return { transport: outboxTransport(join(config.dataDir, 'outbox')) };
    case 'none':
      return { transport: noTransport() };
  }
}

function withTimeouts(smtpUrl: string): string {
  const url = new URL(smtpUrl);
  for (const [name, milliseconds] of Object.entries(SMTP_TIMEOUTS_MS)) {
    if (!url.searchParams.has(name)) url.searchParams.set(name, String(milliseconds));
  }
  return url.href;
}
