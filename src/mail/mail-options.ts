import { join } from 'node:path';
import type { MailerOptions } from '@nestjs-modules/mailer';
import type { AppConfig } from '../config/app-config';
import { noTransport, outboxTransport } from './outbox';

/** Milliseconds; each shorter than the lease of a job, all together as well. SMTP_URL may say otherwise. */
const SMTP_TIMEOUTS_MS = {
  connectionTimeout: 10_000,
  greetingTimeout: 10_000,
  socketTimeout: 30_000,
};
const SEND_TIMEOUT = 60_000;

/** No template and no context: mails are rendered by then, and nothing in them is a template. */
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
