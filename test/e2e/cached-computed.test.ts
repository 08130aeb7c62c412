import { CollectionsModule, Field } from 'doorward';
import { OWN_USER, read, seed, type World } from '../factories';
import { startTestApp } from '../support';

/** Computed fields of the caller are not cached: they may read values that change without a change of rights. */
class Visits {
  @Field.computed('timestamp', { from: ['last_access'], sql: (column) => column('last_access') })
  visited!: Date | null;
}

let world: World;

beforeAll(async () => {
  const imports = [CollectionsModule.extend('service_users', Visits)];
  world = await seed(await startTestApp({ imports, synchronize: true }), {
    policies: {
      visiting: [
        read('service_users', ['email'], {
          ...OWN_USER,
          last_access: { _eq: '$CURRENT_USER.visited' },
        }),
      ],
    },
    users: { amy: { policies: ['visiting'] } },
  });
});

afterAll(() => world.app.close());

it('a rule reads a computed field of the caller again at each request', async () => {
  const seen = async (): Promise<unknown> =>
    (await world.as('amy').get('/users?fields=email')).data;
  const amy = [{ email: 'amy@example.com' }];
  expect(await seen()).toEqual(amy);
  await world.app.database.query(`UPDATE service_users SET last_access = '2031-01-01'`);
  expect(await seen()).toEqual(amy);
});
