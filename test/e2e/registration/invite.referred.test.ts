import { Collection, CollectionsModule, Field } from 'doorward';
import { type SeedData, create, read, seed, type World } from '../../factories';
import { anAddress, recordMails, startTestApp } from '../../support';

@Collection('contracts')
class Contract {
  @Field.key('integer') id!: number;
  @Field.text() name!: string;
  @Field.toOne('service_users', { nullable: true }) holder!: string | null;
}
@Collection('diaries')
class Diary {
  @Field.key('integer') id!: number;
  @Field.text() name!: string;
  @Field.toOne('service_users', { nullable: true, onDelete: 'CASCADE' }) keeper!: string | null;
}

const SEED: SeedData = {
  policies: {
    hiring: [
      create('service_users', ['email', 'role']),
      read('service_users', ['id', 'email', 'status']),
      read('service_roles', ['id', 'name']),
    ],
  },
  roles: { staff: {} },
  users: { recruiter: { policies: ['hiring'] } },
};
let world: World;
beforeAll(async () => {
  const imports = [CollectionsModule.forFeature([Contract, Diary])];
  world = await seed(await startTestApp({ imports, synchronize: true }), SEED);
  recordMails(world.app);
});
afterAll(() => world?.app.close());

const invite = (who: string, email: string) =>
  world.as(who).post('/users/invite', { email, role: world.id('staff') });

/** As if the user had registered, so that the rows alone keep them. */
const register = (email: string) =>
  world.app.database.query('UPDATE service_users SET registered = true WHERE email = $1', [email]);

it.each(['admin', 'recruiter'])(
  'an invitation of an unverified user whom rows of a team refer to is answered as usual (%s)',
  async (who) => {
    const email = anAddress();
    const made = await world.as('admin').post('/users', { email, status: 'unverified' });
    await register(email);
    await world.as('admin').post('/items/contracts', { name: 'c', holder: made.data['id'] });
    const reply = await invite(who, email);
    expect([reply.status, reply.text]).toEqual([204, '']);
    const { data } = await world.as('admin').get(`/users/${String(made.data['id'])}?fields=*`);
    expect(data).toEqual({ ...made.data, date_updated: data['date_updated'] });
  },
);

it('a user is kept, with the rows that would be deleted with them', async () => {
  const email = anAddress();
  const unverified = { email, status: 'unverified', first_name: 'Ann' };
  const { data: made } = await world.as('admin').post('/users', unverified);
  await world.as('admin').post('/items/diaries', { name: 'd', keeper: made['id'] });
  await register(email);
  expect((await invite('recruiter', email)).status).toBe(204);
  const { database } = world.app;
  const users = await database.query('SELECT id FROM service_users WHERE email = $1', [email]);
  const diaries = await database.query('SELECT name FROM diaries');
  expect({ users, diaries }).toEqual({ users: [{ id: made['id'] }], diaries: [{ name: 'd' }] });
});
