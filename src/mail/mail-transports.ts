import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Transport } from 'nodemailer';

/** A transport that writes each mail as a file. Written aside first, so that no one reads a partial one. */
export const outboxTransport = (folder: string): Transport => ({
  name: 'outbox',
  version: '1',
  send(mail, done) {
    mail.message.build((fault, message) => {
      if (fault) return done(fault, undefined as never);
      const messageId = mail.message.messageId();
      write(folder, messageId, message as Buffer).then(
        () => done(null, { messageId, envelope: mail.message.getEnvelope() } as never),
        (error: unknown) => done(error as Error, undefined as never),
      );
    });
  },
});

async function write(folder: string, messageId: string, message: Buffer): Promise<void> {
  await mkdir(folder, { recursive: true });
  const file = join(folder, `${Date.now()}-${messageId.replace(/[^\w.@-]/g, '')}.eml`);
  // Its link gives access to an account, so only the owner may read it.
  await writeFile(`${file}.new`, message, { mode: 0o600 });
  await rename(`${file}.new`, file);
}

/**
 * The transport in production without SMTP_URL: mails that were queued before wait, and are dropped when they expire.
 */
export const noTransport = (): Transport => ({
  name: 'none',
  version: '1',
  send: (_, done) => done(new Error('There is no SMTP_URL'), undefined as never),
});
