import * as bcrypt from 'bcrypt';
import type { Database } from '../database';
import { AppConfig } from '../config/app-config';
import { Passwords } from './passwords';

jest.mock('bcrypt', () => ({ ...jest.requireActual<typeof bcrypt>('bcrypt'), compare: jest.fn() }));

const compare = bcrypt.compare as unknown as jest.Mock<Promise<boolean>, [string, string]>;
const RIGHT = 'three-green-kettles';

/** A bcrypt hash with this cost. */
const hashOf = (cost: number): string =>
  `$2b$${String(cost).padStart(2, '0')}$${'abcdefghijklmnopqrstu.'.repeat(3).slice(0, 53)}`;

/** Rounds of hashing caused by a test. */
let rounds = 0;

beforeEach(() => {
  rounds = 0;
  compare.mockImplementation((password, hash) => {
    rounds += 2 ** bcrypt.getRounds(hash);
    return Promise.resolve(password === RIGHT);
  });
});

async function passwordsWith(cost: number, greatestStored: string | null): Promise<Passwords> {
  const config = new AppConfig({ SECRET: 'for the tests', BCRYPT_COST: String(cost) });
  const query = (): Promise<object[]> => Promise.resolve([{ cost: greatestStored }]);
  const passwords = new Passwords(config, { query } as unknown as Database);
  await passwords.onApplicationBootstrap();
  return passwords;
}

const costOfTry = async (passwords: Passwords, stored: string | null): Promise<number> => {
  rounds = 0;
  expect(await passwords.matches('wrong', stored)).toBe(false);
  return rounds;
};

describe('A failing try costs the same', () => {
  it.each([
    ['after the cost was raised', 12, '08', 12],
    ['after the cost was lowered', 6, '11', 11],
    ['if all hashes have the same cost', 10, '10', 10],
    ['if there are no hashes', 10, null, 10],
  ])('%s', async (_, configured, greatest, expected) => {
    const passwords = await passwordsWith(configured, greatest);
    const stored = [4, 6, 8, 10, 11].filter((cost) => cost <= Number(greatest ?? 0));
    for (const hash of [null, ...stored.map(hashOf), 'no hash at all', '']) {
      expect([hash, await costOfTry(passwords, hash)]).toEqual([hash, 2 ** expected]);
    }
  });

  it('after a costlier hash was found for the first time', async () => {
    const passwords = await passwordsWith(6, '06');
    await costOfTry(passwords, hashOf(9));
    expect(await costOfTry(passwords, null)).toBe(2 ** 9);
    expect(await costOfTry(passwords, hashOf(6))).toBe(2 ** 9);
  });

  it('for a password that is longer than allowed', async () => {
    const passwords = await passwordsWith(8, '08');
    expect(await passwords.matches('x'.repeat(73), hashOf(4))).toBe(false);
    expect(rounds).toBe(2 ** 8);
  });
});

it('no one waits for the cost of a hash with an impossible cost', async () => {
  const passwords = await passwordsWith(4, '31');
  expect(await costOfTry(passwords, null)).toBe(2 ** 15);
});

it('a correct password is compared once, and its hash is reported as outdated', async () => {
  const passwords = await passwordsWith(10, '10');
  expect(await passwords.matches(RIGHT, hashOf(8))).toBe(true);
  expect(rounds).toBe(2 ** 8);
  expect([passwords.isOutdated(hashOf(8)), passwords.isOutdated(hashOf(10))]).toEqual([
    true,
    false,
  ]);
});

it('no password is correct if none is stored', async () => {
  const passwords = await passwordsWith(4, null);
  for (const stored of [null, '', 'no hash']) {
    expect(await passwords.matches(RIGHT, stored)).toBe(false);
  }
});
