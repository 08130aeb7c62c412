import type { World } from '../../factories';
import { playIn } from '../../support/scenarios';
import { restTransport } from '../../support/scenarios/rest-transport';
import { openNested } from './nested-writes/fixtures';
import { lists } from './nested-writes/lists.cases';
import { ones } from './nested-writes/ones.cases';
import { refused } from './nested-writes/refused.cases';
import { misshapen } from './nested-writes/shapes.cases';
import { keyPairs, ownKeys } from './nested-writes/own-keys.cases';
import { pairs as unseen } from './nested-writes/unseen.cases';

const pairs = [...unseen, ...keyPairs];

describe('Nested writes', () => {
  playIn({
    open: openNested,
    scenarios: [...ones, ...lists, ...refused, ...misshapen, ...ownKeys, ...pairs.flat()],
  });
});

describe('A hidden row in a nested write', () => {
  let world: World;

  beforeAll(async () => {
    world = await openNested();
  });

  afterAll(() => world.app.close());

  it.each(pairs.map(([hidden, unknown]) => [hidden.it, hidden, unknown] as const))(
    'is treated like one that does not exist: %s',
    async (_, hidden, unknown) => {
      const answer = await restTransport.run(world, hidden);
      expect(answer).toEqual(await restTransport.run(world, unknown));
      expect(answer.faults).toHaveLength(1);
    },
  );
});
