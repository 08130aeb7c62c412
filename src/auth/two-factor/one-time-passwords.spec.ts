import { generateSync } from 'otplib';
import { acceptedStep, newSecret } from './one-time-passwords';

/** Base32 by RFC 4648, since the test vectors have their keys as text. */
function base32(text: string): string {
  const bits = [...Buffer.from(text)].map((byte) => byte.toString(2).padStart(8, '0')).join('');
  const letters = bits.match(/.{1,5}/g) ?? [];
  return letters
    .map((each) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'[parseInt(each.padEnd(5, '0'), 2)])
    .join('');
}

const DIGITS = '1234567890';
const KEYS = {
  sha1: base32(DIGITS.repeat(2)),
  sha256: base32(`${DIGITS.repeat(3)}12`),
  sha512: base32(`${DIGITS.repeat(6)}1234`),
};

/** RFC 6238, appendix B: seconds since 1970, the codes of eight digits by SHA-1, SHA-256 and SHA-512. */
const VECTORS = [
  [59, '94287082', '46119246', '90693936'],
  [1_111_111_109, '07081804', '68084774', '25091201'],
  [1_111_111_111, '14050471', '67062674', '99943326'],
  [1_234_567_890, '89005924', '91819424', '93441116'],
  [2_000_000_000, '69279037', '90698825', '38618901'],
  [20_000_000_000, '65353130', '77737706', '47863826'],
] as const;

describe.each(VECTORS)('RFC 6238 at %d s', (epoch, sha1, sha256, sha512) => {
  it('gives the codes of the RFC', () => {
    const codes = (['sha1', 'sha256', 'sha512'] as const).map((algorithm) =>
      generateSync({ secret: KEYS[algorithm], epoch, digits: 8, algorithm }),
    );
    expect(codes).toEqual([sha1, sha256, sha512]);
  });

  it('accepts the last six digits of the codes of the RFC', () => {
    const step = Math.floor(epoch / 30);
    expect(acceptedStep(KEYS.sha1, sha1.slice(2), 0, epoch * 1000)).toBe(step);
    expect(acceptedStep(KEYS.sha1, sha256.slice(2), 0, epoch * 1000)).toBeUndefined();
  });
});

const NOW = 1_700_000_010_000;
const STEP = Math.floor(NOW / 30_000);
const { secret } = newSecret('Doorward', 'ann@example.com');
const codeAt = (steps: number): string => generateSync({ secret, epoch: NOW / 1000 + 30 * steps });

describe('a code', () => {
  it.each([
    [-2, undefined],
    [-1, STEP - 1],
    [0, STEP],
    [1, STEP + 1],
    [2, undefined],
  ])('of %d steps from now gives %s', (steps, step) => {
    expect(acceptedStep(secret, codeAt(steps), 0, NOW)).toBe(step);
  });

  it.each(['$1 $2', '$1-$2', ' $1$2 '])('may be written as %s', (written) => {
    const code = codeAt(0).replace(/(...)(...)/, written);
    expect(acceptedStep(secret, code, 0, NOW)).toBe(STEP);
  });

  it('is not accepted again, nor is an earlier one', () => {
    expect(acceptedStep(secret, codeAt(0), STEP, NOW)).toBeUndefined();
    expect(acceptedStep(secret, codeAt(-1), STEP, NOW)).toBeUndefined();
    expect(acceptedStep(secret, codeAt(1), STEP, NOW)).toBe(STEP + 1);
  });

  it('is refused while the clock is behind the latest accepted one', () => {
    expect(acceptedStep(secret, codeAt(0), STEP + 100, NOW)).toBeUndefined();
  });

  it.each(['', '12345', '1234567', 'abcdef', '１２３４５６', '12 456', '-12345', '1e5000'])(
    'like %j is not a code',
    (code) => {
      expect(acceptedStep(secret, code, 0, NOW)).toBeUndefined();
    },
  );
});

describe('a secret', () => {
  it('has 160 bits, and names project and user for the app', () => {
    const made = newSecret('Doorward & Söhne', 'a+b@example.com');
    expect(made.secret).toMatch(/^[A-Z2-7]{32}$/);
    const url = new URL(made.otpauth_url);
    expect([url.protocol, url.host]).toEqual(['otpauth:', 'totp']);
    expect(decodeURIComponent(url.pathname)).toBe('/Doorward & Söhne:a+b@example.com');
    expect(url.searchParams.get('secret')).toBe(made.secret);
    expect(url.searchParams.get('issuer')).toBe('Doorward & Söhne');
    expect(made.secret).not.toBe(newSecret('x', 'y').secret);
  });

  it('separates project and user, whatever their names', () => {
    const url = new URL(newSecret('a:b', 'c@example.com').otpauth_url);
    expect(decodeURIComponent(url.pathname)).toBe('/a b:c@example.com');
    expect(url.searchParams.get('issuer')).toBe('a b');
  });
});
