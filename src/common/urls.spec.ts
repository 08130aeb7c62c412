import { isAllowedUrl, withToken } from './urls';

const LIST = [
  'https://good.com',
  'https://app.example.com:8443/account/',
  'http://localhost:3000/a',
];

describe('a URL on the list', () => {
  it.each([
    'https://good.com',
    'https://good.com/',
    'https://good.com/reset',
    'https://GOOD.com/Reset?lang=en#top',
    'HTTPS://good.com:443/reset',
    'https://good.com//elsewhere.example',
    'https://good.com/@name',
    'https://good.com/a/../reset',
    'https://app.example.com:8443/account',
    'https://app.example.com:8443/account/reset',
    'http://localhost:3000/a?b=../c',
    'http://localhost:3000/a/',
    'http://localhost:3000/x/../a',
  ])('is allowed: %s', (url) => {
    expect(isAllowedUrl(url, LIST)).toBe(true);
  });
});

describe('a URL that only looks like one of the list', () => {
  it.each([
    'https://good.com.evil.com/',
    'https://evil.com/good.com',
    'https://good.com@evil.com/',
    'https://good.com:x@evil.com/',
    'https://user@good.com/',
    'https://user:password@good.com/',
    'https://evil.com#@good.com/',
    'https://evil.com?good.com/',
    'https://evil.com\\@good.com/',
    'https://good.com\\.evil.com/',
    'https:\\\\good.com/',
    'https:/\\good.com/',
    '//good.com/',
    '/reset',
    'good.com/reset',
    'https:good.com/',
    'https:///good.com/',
    'http://good.com/',
    'https://good.com:8443/',
    'https://good.com./',
    'https://www.good.com/',
    'https://good%2ecom.evil.com/',
    'javascript:alert(1)',
    'javascript://good.com/%0aalert(1)',
    'data:text/html,https://good.com/',
    'ftp://good.com/',
    'file:///good.com/',
    ' https://good.com/',
    'https://good.com/\r\nBcc: x@evil.com',
    'https://good.com/\treset',
    'https://go\nod.com/',
    'https://good.com/\u0000',
    'https://good.com/\u2028',
    'https://app.example.com:8443/',
    'https://app.example.com:8443/accounts',
    'https://app.example.com:8443/Account',
    'https://app.example.com:8443/account/../admin',
    'https://app.example.com:8443/account/%2e%2e/admin',
    'https://app.example.com:8443/account/..%2fadmin',
    'https://app.example.com:8443/account/..%5cadmin',
    'https://app.example.com:8443/account/%252e%252e/admin',
    'https://app.example.com:8443/account/..;/admin',
    'https://app.example.com/account/',
    '',
    'https://',
    'null',
  ])('is refused: %j', (url) => {
    expect(isAllowedUrl(url, LIST)).toBe(false);
  });

  it('is refused by an empty list, and by entries that are not URLs', () => {
    expect(isAllowedUrl('https://good.com/', [])).toBe(false);
    expect(isAllowedUrl('https://good.com/', ['', '*', 'good.com', 'null'])).toBe(false);
  });
});

describe('a link with its token', () => {
  it.each([
    ['https://good.com', 'https://good.com/?token=abc'],
    ['https://good.com/reset', 'https://good.com/reset?token=abc'],
    ['https://good.com/reset?', 'https://good.com/reset?token=abc'],
    ['https://good.com/reset?a=%20b', 'https://good.com/reset?a=%20b&token=abc'],
    ['https://good.com/reset#/page', 'https://good.com/reset?token=abc#/page'],
    ['https://good.com/?a=b#c?d=e', 'https://good.com/?a=b&token=abc#c?d=e'],
    ['https://good.com/?token=x&a=b&token=y', 'https://good.com/?a=b&token=abc'],
    ['https://good.com/?token=x', 'https://good.com/?token=abc'],
    ['https://GOOD.com/ä', 'https://good.com/%C3%A4?token=abc'],
  ])('%s', (url, link) => {
    expect(withToken(url, 'abc')).toBe(link);
  });

  it('contains the whole token, whatever its characters', () => {
    const token = 'a&b=c#d e+f%20';
    expect(new URL(withToken('https://good.com/?x=1', token)).searchParams.get('token')).toBe(
      token,
    );
  });
});
