import type { Caller } from '../engine';
import { ClientLeft } from '../common/errors';
import { HASH_CONCURRENCY } from '../common/hash-concurrency';
import type { Queries } from '../database';
import type { WriteContext } from '../repository';
import type { Passwords } from './passwords';

/**
 * Hashes of the passwords in a request, made before its transaction, which must not stay open for the seconds that a
 * thousand of them take. Dropped with the request.
 */
export class PreparedHashes {
  private readonly hashes = new WeakMap<Caller, Map<string, string[]>>();
  /** How many of a password a transaction has taken; one that is repeated begins anew. */
  private readonly taken = new WeakMap<Queries, Map<string, number>>();

  constructor(private readonly passwords: Passwords) {}

  /**
   * One for each password, even for equal ones. Requests take turns with each other and with sign-ins.
   * @throws ServiceUnavailable when too many are waiting; ClientLeft once nobody waits for the answer
   */
  async make(passwords: readonly string[], caller: Caller): Promise<void> {
    const made = this.hashes.get(caller) ?? new Map<string, string[]>();
    this.hashes.set(caller, made);
    const whom = `many ${caller.user ?? caller.identity.ip ?? ''}`;
    const left = passwords.values();
    const work = async (): Promise<void> => {
      for (const password of left) {
        if (caller.left?.aborted) throw new ClientLeft({});
        const hash = await this.passwords.hash(password, whom);
        made.set(password, [...(made.get(password) ?? []), hash]);
      }
    };
    await Promise.all(Array.from({ length: HASH_CONCURRENCY }, work));
  }

  /** The last one is returned repeatedly: many rows may get one password. */
  take(password: string, { caller, tx }: WriteContext): string | undefined {
    const hashes = this.hashes.get(caller)?.get(password) ?? [];
    const taken = this.taken.get(tx) ?? new Map<string, number>();
    this.taken.set(tx, taken);
    const times = taken.get(password) ?? 0;
    taken.set(password, times + 1);
    return hashes[Math.min(times, hashes.length - 1)];
  }
}
