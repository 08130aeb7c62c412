import { Injectable } from '@nestjs/common';
import { Collections, type TransactionWork } from '../collections';
import { Database, type Queries } from '../database';
import type { AccessState } from './access-state';
import { AccessWriter } from './access-writer';
import { CommandFault } from '../common/command';
import { type Change, compareAccess, type StoredAccess } from './compare';
import { FileFault } from './file-fault';
import { checkRules } from './check-rules';
import { keepKeys } from './keep-keys';
import { idsLeftIn, notesOn } from './notes';
import { readManagedKeys } from './managed-keys';
import { unmanaged, unmanagedGrants } from './part-of';
import type { ReadAccess } from './read-access';
import { readAccessFile } from './read-file';
import { LOCK, readStoredAccess } from './stored-access';
import { writeAccessFile } from './write-file';
import { MAX_BYTES } from './yaml-document';

/** The difference between a file and the database. */
export interface Difference {
  readonly changes: readonly Change[];
  /** The changes to apply: all, or all except deletions of what the file lacks. */
  readonly due: readonly Change[];
  /** Warnings for the person who applies it. */
  readonly notes: readonly string[];
}

interface Pruning {
  /** Whether what the file lacks is to be deleted. */
  readonly prune: boolean;
}

interface ApplyOptions extends Pruning {
  /** Everything is applied and then rolled back. */
  readonly dryRun: boolean;
}

const SNAPSHOT = 'SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY';
const ANYBODY = 'SELECT 1 FROM service_users LIMIT 1';

/** Roles, policies with their rules, and what attaches policies to roles and to everyone, as one file. */
@Injectable()
export class AccessFilesService {
  constructor(
    private readonly collections: Collections,
    private readonly database: Database,
  ) {}

  /** Equal states give equal texts. A role or policy without a key is given one, and keeps it from now on. */
  async export(): Promise<{ readonly text: string; readonly notes: readonly string[] }> {
    const seen = await this.snapshot(readUnmanaged);
    const { roles, policies } = seen.keyless;
    const { state } = roles.length + policies.length > 0 ? await this.keepAllKeys() : seen;
    const text = writeAccessFile(state);
    if (Buffer.byteLength(text) > MAX_BYTES) {
      throw new CommandFault(
        `The stored roles, policies and rules take more than ${MAX_BYTES / 1_000_000} MB.`,
      );
    }
    return { text, notes: idsLeftIn(state) };
  }

  /**
   * Compares the file with the database and changes nothing.
   * @param options with `prune`, deletions of what the file lacks are due, as for `apply`
   * @throws FileFault for a file that could not be applied
   */
  async diff(bytes: Uint8Array, options: Pruning): Promise<Difference> {
    const file = await this.read(bytes);
    return this.snapshot(async (queries) =>
      this.compare(file, await readUnmanaged(queries), queries, options),
    );
  }

  /**
   * Makes the database match the file, all or nothing, with the same hooks and checks as the API.
   * @throws FileFault for a file that cannot be applied
   */
  async apply(bytes: Uint8Array, options: ApplyOptions): Promise<Difference> {
    const file = await this.read(bytes);
    const system = this.collections.asSystem('access apply');
    const work: TransactionWork<Difference> = async ({ write, tx }) => {
      await tx.query(LOCK);
      const [anybody] = await tx.query(ANYBODY);
      if (!anybody) throw new CommandFault(NOBODY);
      const stored = await readUnmanaged(tx);
      const found = await this.compare(file, stored, tx, options);
      await new AccessWriter(found.due, stored, write, tx).run(keysIn(file.state));
      return found;
    };
    return this.collections.transaction(system, work, { dryRun: options.dryRun });
  }

  private async read(bytes: Uint8Array): Promise<ReadAccess> {
    return readAccessFile(bytes, await readManagedKeys(this.database));
  }

  private async compare(
    file: ReadAccess,
    stored: StoredAccess,
    queries: Queries,
    { prune }: Pruning,
  ): Promise<Difference> {
    const changes = compareAccess(unmanagedGrants(file.state, stored), stored);
    const faults = checkRules(changes, file, this.collections.registry);
    if (faults.length > 0) throw new FileFault(faults);
    const due = changes.filter(({ action }) => prune || action !== 'delete');
    return { changes, due, notes: await notesOn(due, file.state, stored, queries) };
  }

  /** Reads everything in one snapshot. */
  private snapshot<T>(read: (queries: Queries) => Promise<T>): Promise<T> {
    return this.database.transaction(async (tx) => {
      await tx.query(SNAPSHOT);
      return read(tx);
    });
  }

  /**
   * Gives a key to every role and policy that has none. The text and the stored keys come from the same locked state.
   * Runs again after a deadlock.
   */
  private keepAllKeys(): Promise<StoredAccess> {
    const system = this.collections.asSystem('access export');
    return this.collections.transaction(system, async ({ tx }) => {
      await tx.query(LOCK);
      const stored = await readUnmanaged(tx);
      await keepKeys(tx, 'role', stored.keyless.roles, stored.roleIds);
      await keepKeys(tx, 'policy', stored.keyless.policies, stored.policyIds);
      return stored;
    });
  }
}

/** What modules provide is neither written to files nor changed by them. */
const readUnmanaged = async (queries: Queries): Promise<StoredAccess> =>
  unmanaged(await readStoredAccess(queries));

const NOBODY = 'There is no user yet: start the service once, so that it creates an administrator.';

const keysIn = ({ roles, policies }: AccessState): { roles: string[]; policies: string[] } => ({
  roles: [...roles.keys()],
  policies: [...policies.keys()],
});
