import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer } from 'smtp-server';

export interface ReceivedMail {
  /** The recipients of the SMTP envelope, not of the header. */
  readonly recipients: readonly string[];
  readonly raw: string;
  readonly mail: Email;
}

export interface MailServer {
  readonly url: string;
  readonly port: number;
  readonly mails: ReceivedMail[];
  /** The status for each recipient; undefined: accepted. */
  refuse: number | undefined;
  /** How many ms it takes to accept a mail to this address. */
  slow: { readonly address: string; readonly ms: number } | undefined;
  /** Waits until this many mails have arrived. */
  received(count: number): Promise<ReceivedMail[]>;
  close(): Promise<void>;
}

/** A mail server that accepts everything. @param port a free port; by default any */
export async function startMailServer(port = 0): Promise<MailServer> {
  const mails: ReceivedMail[] = [];
  const waiting: (() => void)[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    disableReverseLookup: true,
    onRcptTo: (_address, _session, next) => {
      if (started.refuse === undefined) return next();
      next(Object.assign(new Error('not now'), { responseCode: started.refuse }));
    },
    onData: (stream, session, next) => {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const raw = Buffer.concat(chunks).toString();
        const recipients = session.envelope.rcptTo.map(({ address }) => address);
        void PostalMime.parse(raw).then((mail) => {
          mails.push({ recipients, raw, mail });
          for (const look of waiting) look();
          const { address, ms } = started.slow ?? { address: '', ms: 0 };
          if (recipients.includes(address)) setTimeout(next, ms);
          else next();
        });
      });
    },
  });
  server.on('error', () => undefined);
  server.listen(port, '127.0.0.1');
  await once(server.server, 'listening');
  const { port: taken } = server.server.address() as AddressInfo;
  const started: MailServer = {
    url: `smtp://127.0.0.1:${taken}`,
    port: taken,
    mails,
    refuse: undefined,
    slow: undefined,
    received: (count) =>
      new Promise((resolve) => {
        const look = (): void => {
          if (mails.length >= count) resolve(mails);
        };
        waiting.push(look);
        look();
      }),
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
  return started;
}
