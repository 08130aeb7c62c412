import { isEmailAddress } from './email-address';

describe('an e-mail address', () => {
  it.each(['ann@example.com', 'ann+b@sub.example.com'])('may be %j', (text) => {
    expect(isEmailAddress(text)).toBe(true);
  });

  it.each([
    '',
    'ann',
    'Ann <ann@example.com>',
    'a@x.com,b@x.com',
    '"a"@x.com',
    'a\r\n@x.com',
    'a\udfff',
    'a\udfff@x.com',
    'a@x\ud800.com',
  ])('is not %j', (text) => {
    expect(isEmailAddress(text)).toBe(false);
  });
});
