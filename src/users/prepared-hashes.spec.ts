import type { Caller } from '../engine';
import type { WriteContext } from '../repository';
import type { Passwords } from './passwords';
import { PreparedHashes } from './prepared-hashes';

let made = 0;
const passwords = {
  hash: (password: string) => Promise.resolve(`${password} ${(made += 1)}`),
} as unknown as Passwords;
const caller = { user: null, identity: { ip: null } } as unknown as Caller;
const transaction = (): WriteContext => ({ caller, tx: {} }) as unknown as WriteContext;

it('each user gets a hash of their own, also in a transaction that is repeated', async () => {
  const hashes = new PreparedHashes(passwords);
  await hashes.make(['same', 'same', 'same'], caller);
  const take = (context: WriteContext, count: number): unknown[] =>
    Array.from({ length: count }, () => hashes.take('same', context));
  expect(new Set(take(transaction(), 2)).size).toBe(2);
  const again = take(transaction(), 4);
  expect(new Set(again).size).toBe(3);
  expect(again[3]).toBe(again[2]);
});

it('nothing more is hashed once the client has left', async () => {
  const left = { aborted: false };
  const hash = jest.fn(() => Promise.resolve('hash').finally(() => (left.aborted = true)));
  const leaving = { user: null, identity: { ip: null }, left } as unknown as Caller;
  const hashes = new PreparedHashes({ hash } as unknown as Passwords);
  await expect(hashes.make(Array<string>(50).fill('same'), leaving)).rejects.toThrow(
    'The client left',
  );
  expect(hash.mock.calls.length).toBeLessThan(10);
});

it('a password that was not prepared has none', () => {
  expect(new PreparedHashes(passwords).take('other', transaction())).toBeUndefined();
});
