import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import type { Action, Caller, Decision } from '../engine';
import { RegistrationError } from '../common/schema';
import { AppConfig } from '../config/app-config';
import { Database, type Queries } from '../database/database';
import type { CurrentMarks } from '../repository/registry/asleep';
import { CollectionService } from './collection.service';
import { commit, type CommitOptions } from '../repository/write/commit';
import type { TransactionContext } from '../repository/write-context';
import { ProtectedRepository } from '../repository/protected-repository';
import type { RepositorySetting } from '../repository/repository-setting';
import { systemCaller } from '../repository/system-caller';
import { CollectionRegistry } from '../repository/registry/registry';
import { HookRegistry } from './hook-registry';
import { warnIfOverdue } from './overdue';
import { reachesAll } from '../repository/write/plan/reached-items';
import { RegistryMarks } from '../repository/registry/registry-marks';
import type { ProtectedRepository as RepositoryOf } from '../repository';
import { type CollectionReference, nameOf } from './tokens';

/** The work of `Collections.transaction`: reads and writes any collections by its context, in one transaction. */
export type TransactionWork<T> = (context: TransactionContext) => Promise<T>;

/** `dryRun: true`: everything is done and checked, and then undone, without an error. */
export type TransactionOptions = Pick<CommitOptions, 'dryRun'>;

/** Items of one collection, by their keys as text. */
interface Reaching {
  readonly tx: Queries;
  /** Whether no one else may delete the items until the transaction ends. */
  readonly lock?: boolean;
}

/**
 * All collections of the application, for injection: their repositories and services, and transactions over several.
 */
@Injectable()
export class Collections implements OnModuleInit {
  private readonly logger = new Logger(Collections.name);
  private readonly repositories = new Map<string, ProtectedRepository>();
  private readonly extraRights = new Map<string, (caller: Caller) => Caller>();
  private readonly hooks: HookRegistry;
  /** The marks of all tables and columns now, for the service's rules; not for teams. */
  readonly currentMarks: CurrentMarks;

  constructor(
    readonly registry: CollectionRegistry,
    private readonly database: Database,
    private readonly config: AppConfig,
    private readonly discovery: DiscoveryService,
  ) {
    this.hooks = new HookRegistry(registry, this.logger);
    this.currentMarks = new RegistryMarks(registry, database);
  }

  onModuleInit(): void {
    this.hooks.collect(this.discovery);
  }

  /**
   * The repository of a collection: `repository(Invoice)` or `repository('invoices')`.
   * @throws RegistrationError where the collection is not registered
   */
  repository<E extends object>(entity: new () => E): RepositoryOf<E>;
  repository(collection: string): ProtectedRepository;
  repository(reference: CollectionReference): object {
    const collection = nameOf(reference);
    const known = this.repositories.get(collection);
    if (known) return known;
    const stored = this.registry.get(collection);
    if (!stored) {
      throw new RegistrationError(
        `There is no collection ${collection}: add its entity to a CollectionsModule.forFeature([…]).`,
      );
    }
    const repository = new ProtectedRepository(stored, this.setting());
    this.repositories.set(collection, repository);
    return repository;
  }

  /**
   * Reads and writes any collections under the caller's rules, in one transaction: all or nothing, with hooks, and
   * judged at the end like one request. Inside, use only what `work` is given, and await every write; afterwards its
   * context is refused. Where the database aborts the transaction because of a deadlock or serialization failure,
   * `work` runs again.
   *
   *     await collections.transaction(caller, async ({ write }) => {
   *       const [invoice] = await write.create('invoices', [{ number: 'A-1' }]);
   *       await write.create('reminders', [{ invoice }]);
   *     });
   *
   * @returns what `work` returned
   * @throws what `work` throws; also the error of a write that failed while it was stored, even if `work` caught it
   */
  transaction<T>(
    caller: Caller,
    work: TransactionWork<T>,
    options: TransactionOptions = {},
  ): Promise<T> {
    return commit(
      { ...this.setting(), caller },
      async (writer) => {
        const result = await warnIfOverdue('A transaction', work(writer.context));
        await writer.judge();
        return result;
      },
      options,
    );
  }

  private setting(): RepositorySetting {
    const { registry, database, config, logger } = this;
    const { hooksOf, commitHooks } = this.hooks;
    const limits = {
      defaultLimit: config.queryLimitDefault,
      maxLimit: config.queryLimitMax,
      maxDepth: config.queryDepthMax,
    };
    return { registry, database, hooksOf, commitHooks, logger, limits };
  }

  /**
   * A caller to whom no rules apply, for what the service does on its own initiative: the only way around the rules.
   * @param reason why; it is noted in the activity log with each write
   */
  asSystem(reason: string): Caller {
    this.logger.debug(`as system: ${reason}`);
    return systemCaller(this.registry, reason);
  }

  /** Whether the caller sees all of these items and may do this to them; false where the collection does not exist. */
  async reaches(
    caller: Caller,
    action: Action,
    collection: string,
    items: readonly string[],
    { tx, lock = false }: Reaching,
  ): Promise<boolean> {
    const { registry } = this;
    const known = registry.get(collection);
    return known ? reachesAll(caller, action, known, items, { registry, tx, lock }) : false;
  }

  /** Fields that the hooks of a collection require of each item that the caller creates. */
  requiredOf(caller: Caller, collection: string): readonly string[] {
    return this.hooks.hooksOf(collection).required?.(caller) ?? [];
  }

  /**
   * Gives callers rights to a collection beyond their rules: its `CollectionService` acts with them, and descriptions of
   * what callers may do contain them.
   * @param extend the caller with these rights
   */
  declareExtraRights(collection: string, extend: (caller: Caller) => Caller): void {
    this.extraRights.set(collection, extend);
  }

  /** The caller with the rights to this collection that `declareExtraRights` gives them. */
  withExtraRights(caller: Caller, collection: string): Caller {
    return this.extraRights.get(collection)?.(caller) ?? caller;
  }

  /**
   * Whether the caller may do this to one item. Of administrators nothing is looked up: true, even where the item does
   * not exist; for others it is false then.
   */
  async canAccess(
    caller: Caller,
    action: Action,
    collection: string,
    key: string,
  ): Promise<boolean> {
    if (caller.administrator) return true;
    return (await this.decideOn(caller, action, collection, key)) !== undefined;
  }

  /**
   * The caller's decision as far as it reaches one item; none where the collection or item does not exist.
   * @param key undefined for a singleton's one row
   */
  async decideOn(
    caller: Caller,
    action: Action,
    collection: string,
    key: string | undefined,
  ): Promise<Decision | undefined> {
    if (!this.registry.get(collection)) return undefined;
    return this.repository(collection).decideOn(caller, action, key);
  }

  /**
   * The service of a collection, as `@InjectService` gives it.
   * @throws RegistrationError where the collection is not registered
   */
  service(collection: string): CollectionService {
    return new CollectionService(this.repository(collection), (caller) =>
      this.withExtraRights(caller, collection),
    );
  }
}
