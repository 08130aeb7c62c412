import { seed, type World } from '../../factories';
import { startTestApp } from '../../support';
import { EMPLOYEES, STAFF } from './employees';

let world: World;

beforeAll(async () => {
  world = await seed(await startTestApp({ imports: EMPLOYEES, synchronize: true }), {
    ...STAFF,
    users: {
      ann: { role: 'desk', department: '<books>', read_papers: ['<rivers>'], location: '<ann>' },
      bob: { role: 'desk', first_name: '<b>', location: 'at <nowhere>' },
    },
    rows: {
      departments: { books: { name: 'Books' } },
      papers: { rivers: { title: 'On rivers', department: '<books>' } },
    },
  });
});

afterAll(() => world.app.close());

it('fields of seeded users may refer to seeded rows and users', async () => {
  const ann = await world.as('admin').get(world.fill('/users/<ann>?fields=*,read_papers'));
  expect(ann.data).toMatchObject({
    department: world.id('books'),
    read_papers: [world.id('rivers')],
    location: world.id('ann'),
  });
  expect((await world.as('ann').get('/items/papers?fields=title')).data).toEqual([
    { title: 'On rivers' },
  ]);
});

it('any other text in angle brackets is stored as it is', async () => {
  const bob = await world.as('admin').get(world.fill('/users/<bob>?fields=first_name,location'));
  expect(bob.data).toEqual({ first_name: '<b>', location: 'at <nowhere>' });
});
