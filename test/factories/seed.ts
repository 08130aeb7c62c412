import { type SeedData } from '../../src/testing/seed-data';
import { seed as seedApp, type World as KitWorld } from '../../src/testing/seed';
import type { TestApp } from '../support';
import { readState, restoreState, type State } from './state';

/** A seeded application that can be put back to how it was. */
export interface World extends KitWorld {
  readonly app: TestApp;
  /** Every row of the tables. */
  state(): Promise<State>;
  /** All rows as they were right after seeding. */
  readonly start: State;
  /** Back to that. */
  restore(): Promise<void>;
}

/** Seeds an application, as `doorward/testing` does. */
export async function seed(app: TestApp, data: SeedData = {}): Promise<World> {
  return withTables({ ...(await seedApp(app, data)), app }, []);
}

/** The same world with a team’s tables, each after those that it refers to; it starts now. */
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
