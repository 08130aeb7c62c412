import { configOf } from './app-config.spec-support';
import { StartupError } from './startup-error';

describe('mail', () => {
  it.each([
    [{}, 'outbox'],
    [{ NODE_ENV: 'production' }, 'none'],
    [{ NODE_ENV: 'production', SMTP_URL: 'smtps://u:p@mail.example.com?pool=true' }, 'smtp'],
    [{ SMTP_URL: 'smtp://localhost:1025' }, 'smtp'],
  ])('with %j is sent to: %s', (env, transport) => {
    expect(configOf(env).mailTransport).toBe(transport);
  });

  it.each([
    ['door@example.com', { address: 'door@example.com' }],
    ['doorward@localhost', { address: 'doorward@localhost' }],
    ['The Door <door@example.com>', { name: 'The Door', address: 'door@example.com' }],
    ['<door@example.com>', { address: 'door@example.com' }],
  ])('comes from %s', (MAIL_FROM, sender) => {
    expect(configOf({ MAIL_FROM }).mailFrom).toEqual(sender);
  });

  it.each([
    ['https://id.example.com/door', 'no-reply@id.example.com'],
    ['http://127.0.0.1:3000', 'no-reply@localhost'],
    ['http://[::1]:3000', 'no-reply@localhost'],
  ])('of %s comes from an address of its host by default', (PUBLIC_URL, address) => {
    expect(configOf({ PUBLIC_URL }).mailFrom).toEqual({ address });
  });

  it.each([
    { MAIL_FROM: 'door' },
    { MAIL_FROM: 'a@example.com,b@example.com' },
    { MAIL_FROM: 'Door <a@example.com> <b@example.com>' },
    { MAIL_FROM: 'Door\r\nBcc: <a@example.com>' },
    { MAIL_FROM: '"a b"@example.com' },
    { SMTP_URL: 'https://mail.example.com' },
    { SMTP_URL: 'mail.example.com:25' },
  ])('is refused with %j', (env) => {
    const [name = ''] = Object.keys(env);
    expect(() => configOf(env)).toThrow(StartupError);
    expect(() => configOf(env)).toThrow(new RegExp(`faults:\\n  - ${name} must be [^\\n]*$`));
  });
});
