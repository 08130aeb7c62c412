import { freePort, type MailServer, type TestAppOptions } from '../../support';

/** A service that sends mails by SMTP and runs at the address in its links. */
export async function optionsWithMail(mails: MailServer): Promise<TestAppOptions> {
  const port = String(await freePort());
  return {
    env: {
      ...{ PORT: port, PUBLIC_URL: `http://127.0.0.1:${port}` },
      ...{ SMTP_URL: mails.url, MAIL_FROM: 'door@example.com' },
    },
  };
}

/**
 * The link to `path` in the text of the latest mail, which is for this address alone.
 * @param count how many mails there are, this one included
 */
export async function mailedLink(
  mails: MailServer,
  count: number,
  { path, email }: { readonly path: string; readonly email: string },
): Promise<string> {
  const received = await mails.received(count);
  const { recipients, mail } = received[count - 1] ?? {};
  expect(recipients).toEqual([email]);
  const [link = ''] = new RegExp(`http:\\S+${path}\\?token=[\\w-]+`).exec(mail?.text ?? '') ?? [];
  return link;
}
