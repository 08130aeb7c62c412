import type { Logger } from '@nestjs/common';
import type { DiscoveryService } from '@nestjs/core';
import { RegistrationError } from '../common/schema';
import type { CollectionHooks, CommitHooks } from '../repository/hooks';
import type { CollectionRegistry } from '../repository/registry/registry';
import {
  hookedBy,
  isDecorated,
  misspeltHooks,
  refuseScoped,
  refuseWithoutHooks,
} from './check-hooks';
import { BeforeCommit, HooksOf } from './collection-hooks';
import { composeCommitHooks, composeHooks } from './compose-hooks';
import { hookRanks } from './hook-order';
import { watchedHooks } from './overdue';

const NO_HOOKS: CollectionHooks = {};

/** The hooks of every collection, and those that run before a commit, from the providers of all modules. */
export class HookRegistry {
  private readonly hooks = new Map<string, readonly CollectionHooks[]>();
  private readonly composed = new Map<string, CollectionHooks>();
  private readonly beforeCommit: CommitHooks[] = [];
  readonly commitHooks = composeCommitHooks(this.beforeCommit);
  /** All hooks of a collection as one. */
  readonly hooksOf = (name: string): CollectionHooks => this.composed.get(name) ?? NO_HOOKS;

  constructor(
    private readonly registry: CollectionRegistry,
    private readonly logger: Logger,
  ) {}

  /** Adds the hooks of every provider, in the order of `hookRanks`. */
  collect(discovery: DiscoveryService): void {
    const providers = discovery.getProviders();
    const rank = hookRanks(providers);
    const found = providers
      .filter((each) => isDecorated(each, HooksOf))
      .map((provider) => {
        refuseScoped(provider);
        const { host, instance } = provider;
        const collection = hookedBy(provider);
        return { collection, hooks: instance as CollectionHooks, rank: rank(host, collection) };
      });
    for (const { collection, hooks } of found.toSorted((one, other) => one.rank - other.rank)) {
      this.add(collection, hooks);
    }
    const commits = providers.filter((provider) => isDecorated(provider, BeforeCommit));
    this.beforeCommit.push(...commits.map(({ instance }) => instance as CommitHooks));
  }

  private add(collection: string, hooks: CollectionHooks): void {
    if (!this.registry.get(collection)) {
      throw new RegistrationError(
        `${hooks.constructor.name} has hooks of ${collection}, but there is no such collection: add its entity to a CollectionsModule.forFeature([…]).`,
      );
    }
    refuseWithoutHooks(hooks);
    for (const sentence of misspeltHooks(hooks)) this.logger.warn(sentence);
    const known = this.hooks.get(collection) ?? [];
    this.hooks.set(collection, [...known, hooks]);
    this.composed.set(collection, watchedHooks(composeHooks([...known, hooks]), collection));
  }
}
