import type { Caller } from '../engine';
import { HASHES_AT_ONCE } from '../common/fair-limiter';
import type { Passwords } from './passwords';

/**
 * Hashes of the passwords that a request sends, made before its transaction: that one shall not stand open for the
 * seconds which a thousand of them take. They are forgotten with the request.
 */
export class PreparedHashes {
  private readonly hashes = new WeakMap<Caller, Map<string, string[]>>();

  constructor(private readonly passwords: Passwords) {}

  /**
   * One for each password, of equal ones too. Requests take turns at it with each other and with those who sign in.
   * @throws ServiceUnavailable when too many wait
   */
  async make(passwords: readonly string[], caller: Caller): Promise<void> {
    const made = this.hashes.get(caller) ?? new Map<string, string[]>();
    this.hashes.set(caller, made);
    const whom = `many ${caller.user ?? caller.identity.ip ?? ''}`;
    const left = passwords.values();
    const work = async (): Promise<void> => {
      for (const password of left) {
        const hash = await this.passwords.hash(password, whom);
        made.set(password, [...(made.get(password) ?? []), hash]);
      }
    };
    await Promise.all(Array.from({ length: HASHES_AT_ONCE }, work));
  }

  /** The last one serves as often as it is asked for: many rows may be given one password. */
  take(password: string, caller: Caller): string | undefined {
    const hashes = this.hashes.get(caller)?.get(password) ?? [];
    return hashes.length > 1 ? hashes.pop() : hashes[0];
  }
}
