import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import { type Action, Caller } from '../engine';
import { RegistrationError } from '../common/schema';
import { AppConfig } from '../config/app-config';
import { Database, type Queries, type Tx } from '../database/database';
import type { Meanings } from '../repository/registry/asleep';
import { BeforeCommit, HooksOf } from './collection-hooks';
import { CollectionService } from './collection.service';
import { composeCommitHooks, composeHooks } from './compose-hooks';
import type { CollectionHooks, CommitHooks, RelatedWriter } from '../repository/hooks';
import { commit } from '../repository/write/commit';
import type { Writer } from '../repository/write/writer';
import { ProtectedRepository } from '../repository/protected-repository';
import { CollectionRegistry } from '../repository/registry/registry';
import { hookRanks } from './hook-order';
import { reachesAll } from '../repository/write/reached-items';
import { RegistryMeanings } from '../repository/registry/registry-meanings';
import { type CollectionReference, nameOf } from './tokens';

/** Writes through the first alone, and reads through the second: on the embedded database there is one connection. */
type WritingWork<T> = (write: RelatedWriter, tx: Tx) => Promise<T>;

/** Everything a collection needs at run time: one of it in the application. */
@Injectable()
export class Collections implements OnModuleInit {
  private readonly logger = new Logger(Collections.name);
  private readonly hooks = new Map<string, readonly CollectionHooks[]>();
  private readonly composed = new Map<string, CollectionHooks>();
  private readonly repositories = new Map<string, ProtectedRepository>();
  private readonly beforeCommit: CommitHooks[] = [];
  private readonly commitHooks = composeCommitHooks(this.beforeCommit);
  private readonly hooksOf = (name: string): CollectionHooks => this.composed.get(name) ?? NO_HOOKS;
  readonly meanings: Meanings;

  constructor(
    readonly registry: CollectionRegistry,
    private readonly database: Database,
    private readonly config: AppConfig,
    private readonly discovery: DiscoveryService,
  ) {
    this.meanings = new RegistryMeanings(registry, database);
  }

  onModuleInit(): void {
    const rank = hookRanks(this.discovery.getProviders());
    const found = this.discovery
      .getProviders({ metadataKey: HooksOf.KEY })
      .flatMap(({ host, instance, metatype }) => {
        const hooked = metatype && Reflect.getMetadata(HooksOf.KEY, metatype);
        const collection = nameOf(hooked as CollectionReference);
        return [{ collection, hooks: instance as CollectionHooks, rank: rank(host, collection) }];
      });
    for (const { collection, hooks } of found.toSorted((one, other) => one.rank - other.rank)) {
      this.hook(collection, hooks);
    }
    const commits = this.discovery.getProviders({ metadataKey: BeforeCommit.KEY });
    this.beforeCommit.push(...commits.map(({ instance }) => instance as CommitHooks));
  }

  private hook(collection: string, hooks: CollectionHooks): void {
    if (!this.registry.get(collection)) {
      throw new RegistrationError(
        `${hooks.constructor.name} is hooks of ${collection}, which is no collection: add its entity to a CollectionsModule.forFeature([…]).`,
      );
    }
    const known = this.hooks.get(collection) ?? [];
    this.hooks.set(collection, [...known, hooks]);
    this.composed.set(collection, composeHooks([...known, hooks]));
  }

  /** @throws RegistrationError where the collection is not registered */
  repository(collection: string): ProtectedRepository {
    const known = this.repositories.get(collection);
    if (known) return known;
    const { registry, database, config } = this;
    const made = new ProtectedRepository(registry.table(collection), {
      registry,
      database,
      hooksOf: this.hooksOf,
      commitHooks: this.commitHooks,
      logger: this.logger,
      limits: {
        defaultLimit: config.queryLimitDefault,
        maxLimit: config.queryLimitMax,
        maxDepth: config.queryDepthMax,
      },
    });
    this.repositories.set(collection, made);
    return made;
  }

  /**
   * Writes to any collections in the caller's name, in one transaction: all or nothing, with their hooks, and judged at
   * the end like one request. Work that met a deadlock is begun anew.
   */
  write<T>(caller: Caller, work: WritingWork<T>): Promise<T> {
    return this.commit(caller, async (writer, tx) => {
      const result = await work(writer, tx);
      await writer.judge();
      return result;
    });
  }

  /** Does the same to the last, with all that could refuse it, and then undoes it. */
  async rehearse<T>(caller: Caller, work: WritingWork<T>): Promise<T> {
    const done: { result?: { readonly of: T } } = {};
    const undone = new Error('A rehearsal was undone');
    try {
      return await this.commit(caller, async (writer, tx) => {
        const of = await work(writer, tx);
        await writer.judge();
        const { changes, entries, unlisted } = writer;
        if (changes.length > 0)
          await this.commitHooks.beforeCommit(changes, { caller, tx, entries, unlisted });
        done.result = { of };
        throw undone;
      });
    } catch (error) {
      if (error !== undone || !done.result) throw error;
      return done.result.of;
    }
  }

  private commit<T>(caller: Caller, work: (writer: Writer, tx: Tx) => Promise<T>): Promise<T> {
    const { registry, database, hooksOf, commitHooks, logger } = this;
    return commit({ caller, registry, hooksOf, commitHooks, logger }, database, work);
  }

  /**
   * A caller to whom everything is allowed: the one way round the rules, for what the service does of its own accord.
   * @param reason why, for the log
   */
  asSystem(reason: string): Caller {
    this.logger.debug(`as system: ${reason}`);
    const identity = {
      user: null,
      role: null,
      roles: [],
      ip: null,
      now: new Date(),
      session: null,
      staticToken: null,
    };
    const variables = { now: identity.now, valueOf: () => null };
    return new Caller(identity, this.registry, {
      administrator: true,
      policies: [],
      rules: new Map(),
      variables,
    });
  }

  /** Whether the caller sees all of these items of a collection, which need not exist, and may do this to them. */
  async reaches(
    caller: Caller,
    action: Action,
    { collection, items }: { readonly collection: string; readonly items: readonly string[] },
    tx: Queries,
  ): Promise<boolean> {
    const known = this.registry.get(collection);
    return known
      ? reachesAll({ caller, registry: this.registry, tx }, known, action, items)
      : false;
  }

  /** Whether the caller may do this to one item of a collection, which need not exist. */
  async canAccess(
    caller: Caller,
    collection: string,
    action: Action,
    key: string | undefined,
  ): Promise<boolean> {
    if (caller.administrator) return true;
    if (!this.registry.get(collection)) return false;
    return this.repository(collection).canAccess(caller, action, key);
  }

  service(collection: string): CollectionService {
    return new CollectionService(this.repository(collection));
  }
}

const NO_HOOKS: CollectionHooks = {};
