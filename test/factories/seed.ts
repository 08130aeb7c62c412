import { type SeedData } from '../../src/testing/seed-data';
import { seed as seedApp, type World as KitWorld } from '../../src/testing/seed';
import type { TestApp } from '../support';
import { readState, restoreState, type State } from './state';

/** A seeded application that can be reset. */
export interface World extends KitWorld {
  readonly app: TestApp;
  /** Every row of the tables. */
  state(): Promise<State>;
  /** All rows as they were after seeding. */
  readonly start: State;
  /** Restores these rows. */
  restore(): Promise<void>;
}

/** Seeds an application like `doorward/testing`. */
export async function seed(app: TestApp, data: SeedData = {}): Promise<World> {
  return withTables({ ...(await seedApp(app, data)), app }, []);
}

/** The same world with a team’s tables, each after those that it refers to; `start` is their current state. */
export async function withTables<T extends KitWorld & { readonly app: TestApp }>(
  world: T,
  tables: readonly string[],
): Promise<T & World> {
  const start = await readState(world.app, tables);
  return {
    ...world,
    start,
    state: () => readState(world.app, tables),
    restore: () => restoreState(world.app, start, tables),
  };
}
