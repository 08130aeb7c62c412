import { seed, type State, type World } from '../../factories';
import { startTestApp, type TestAppOptions } from '../start-test-app';
import { graphqlTransport } from './graphql-transport';
import { restTransport } from './rest-transport';
import { expectChanges } from './changes';
import type { Transport, Fault, Outcome, Play, PlayIn, Scenario } from './scenario';

/** Every scenario is played over each of these. */
const TRANSPORTS: readonly Transport[] = [restTransport, graphqlTransport];

/** Runs scenarios on one application; each begins with the rows as they were after seeding. */
export function play({ seed: data, scenarios }: Play, options: TestAppOptions = {}): void {
  playIn({ open: async () => seed(await startTestApp(options), data), scenarios });
}

/** The same in a world that needs more than seed data. */
export function playIn({ open, scenarios }: PlayIn): void {
  let world: World;

  beforeAll(async () => {
    world = await open();
  });

  afterAll(() => world?.app.close());

  const transports = TRANSPORTS.filter((transport) =>
    scenarios.some((each) => transport.serves(each)),
  );

  describe.each(transports)('$name', (transport) => {
    test.each(scenarios.filter((each) => transport.serves(each)))('$it', async (scenario) => {
      await perform(world, scenario, transport);
    });
  });
}

async function perform(world: World, scenario: Scenario, transport: Transport): Promise<void> {
  try {
    const outcome = await transport.run(world, scenario);
    expectAnswer(outcome, world.fill(scenario));
    const state = await world.state();
    if (!isWrite(scenario) || scenario.refused !== undefined) expect(state).toEqual(world.start);
    expectStored(world, state, scenario);
    if (scenario.changes) expectChanges(world.start, state, world.fill(scenario.changes));
  } finally {
    if (isWrite(scenario)) await world.restore();
  }
}

const isWrite = ({ operation }: Scenario): boolean => /^(create|update|delete)/.test(operation);

function expectAnswer({ faults, data, meta, text }: Outcome, expected: Scenario): void {
  const { refused, silent, gives, shows, hides = [] } = expected;
  if (refused === undefined) expect(faults).toEqual([]);
  else if (typeof refused === 'string') expect(codesOf(faults)).toEqual([refused]);
  else expect(faults.map((fault, index) => namedPartOf(fault, refused[index]))).toEqual(refused);
  if (refused !== undefined || silent) expect(data ?? null).toBeNull();
  if (gives !== undefined) expect(data).toEqual(gives);
  if (shows !== undefined) expect(data).toMatchObject(shows as object);
  if (expected.meta !== undefined) expect(meta).toEqual(expected.meta);
  for (const hidden of hides) expect(text).not.toContain(hidden);
}

/** The part of a fault that the expectation names; `field: undefined` expects no field. */
const namedPartOf = (fault: Fault, expected: Fault = fault): object =>
  Object.fromEntries(Object.entries(fault).filter(([name]) => Object.hasOwn(expected, name)));

const codesOf = (faults: Outcome['faults']): string[] => [
  ...new Set(faults.map(({ code }) => code)),
];

function expectStored(world: World, state: State, { stored = {} }: Scenario): void {
  for (const [table, rows] of Object.entries(stored)) {
    for (const [name, expected] of Object.entries(rows)) {
      const id = world.fill<unknown>(name);
      const row = state[table]?.find((each) => each['id'] === id);
      if (expected === null) expect(row).toBeUndefined();
      else expect(row).toMatchObject(world.fill(expected));
    }
  }
}
