import { ownerOf, makeStaticToken } from './token-form';

const USER = '3f2504e0-4f89-41d3-9a0c-0305e82c3301';

describe('a static token', () => {
  it('names its user, and is different each time', () => {
    const tokens = [makeStaticToken(USER), makeStaticToken(USER)];
    expect(tokens.map(ownerOf)).toEqual([USER, USER]);
    expect(new Set(tokens).size).toBe(2);
    expect(tokens[0]).toMatch(/^dwt_[\w-]{65}$/);
  });

  it('is recognised by its form', () => {
    const token = makeStaticToken(USER);
    const others = ['', 'a.b.c', token.slice(1), `${token}x`, token.toUpperCase(), `${token}\n`];
    expect(others.map(ownerOf)).toEqual(others.map(() => undefined));
  });
});
