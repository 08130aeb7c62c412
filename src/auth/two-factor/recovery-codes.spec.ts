import { newRecoveryCodes, recoveryDigest } from './recovery-codes';

describe('recovery codes', () => {
  it('are ten, all different, without letters and digits that are easily confused', () => {
    const codes = newRecoveryCodes();
    expect(new Set(codes).size).toBe(10);
    for (const code of codes) expect(code).toMatch(/^([a-hjkmnp-z2-9]{4}-){3}[a-hjkmnp-z2-9]{4}$/);
    expect(newRecoveryCodes()).not.toEqual(codes);
  });

  it('are recognised however they are written', () => {
    const digest = recoveryDigest('abcd-efgh-jkmn-pqrs');
    expect(digest).toMatch(/^[\w-]{43}$/);
    for (const written of ['ABCDEFGHJKMNPQRS', ' abcd efgh jkmn pqrs ', 'abcd efgh-JKMN  pqrs']) {
      expect(recoveryDigest(written)).toBe(digest);
    }
    expect(recoveryDigest('abcd-efgh-jkmn-pqrt')).not.toBe(digest);
  });

  it.each([
    '',
    '123456',
    'abcd-efgh-jkmn',
    'abcd-efgh-jkmn-pqr1',
    ' '.repeat(1e6),
    'a'.repeat(1e6),
  ])('are not recognised in another form (%#)', (text) => {
    expect(recoveryDigest(text)).toBeUndefined();
  });
});
