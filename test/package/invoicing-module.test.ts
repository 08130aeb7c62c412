import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { provideSchema } from 'doorward';
import type { QueryRunner } from 'typeorm';
import { startTestApp, type TestApp } from '../support';
import { modules } from './team/src/invoicing';
import { bringPeople, CUSTOMERS, SETTINGS_ROW, type Stage, stageOf } from './scenarios/people';
import { SCENARIOS } from './scenarios/scenarios';

/** The team's existing table. */
class Customers1763800000000 {
  async up(runner: QueryRunner): Promise<void> {
    for (const sql of CUSTOMERS) await runner.query(sql);
  }

  async down(): Promise<void> {
    // The existing table stays.
  }
}

class Legacy {}

const LEGACY = {
  module: Legacy,
  providers: [provideSchema({ migrations: [Customers1763800000000] })],
};
const FOLDER = join(__dirname, 'team/src/invoicing');
/** The files that expose and protect collections: entities, rules, and the file that registers them. */
const EXPOSING = /\.(entity|fields|rules)\.ts$|^index\.ts$/;
const MOST_LINES = 25;

let app: TestApp;
const stages = new Map<string, Stage>();

beforeAll(async () => {
  app = await startTestApp({ imports: [...modules, LEGACY], synchronize: true });
  await app.database.query(SETTINGS_ROW);
  const people = await bringPeople(app);
  for (const transport of ['REST', 'GraphQL'] as const)
    stages.set(transport, stageOf(transport, people));
});

afterAll(() => app.close());

describe.each(['REST', 'GraphQL'])('the invoicing module, over %s', (transport) => {
  it.each(SCENARIOS)('$name', async ({ act, expected }) => {
    const stage = stages.get(transport);
    if (stage === undefined) throw new Error(`${transport} was not opened`);
    expect(await act(stage)).toEqual(expected);
  });
});

describe('the code that a team writes', () => {
  const linesOf = (file: string): number =>
    readFileSync(join(FOLDER, file), 'utf8')
      .split('\n')
      .filter((line) => !/^\s*($|\/\/|\/\*|\*)/.test(line)).length;
  const files = readdirSync(FOLDER).filter((file) => EXPOSING.test(file));
  const entities = files.filter((file) => file.endsWith('.entity.ts'));

  it(`exposes and protects seven entities, with at most ${MOST_LINES} lines each`, () => {
    expect(entities).toHaveLength(7);
    const lines = files.map(linesOf).reduce((sum, each) => sum + each, 0);
    expect(lines / entities.length).toBeLessThanOrEqual(MOST_LINES);
  });

  it.each(entities)('%s has no more lines than that', (file) => {
    expect(linesOf(file)).toBeLessThanOrEqual(MOST_LINES);
  });
});
