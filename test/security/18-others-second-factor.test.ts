import { PASSWORD, type World } from '../factories';
import { enableTfa } from '../support/two-factor';
import { openDelegation } from './delegation';

const DISABLE = 'mutation Disable($id: ID!) { users_tfa_disable(id: $id) }';

describe('18: the sessions and second factor of others', () => {
  let world: World;

  beforeAll(async () => {
    world = await openDelegation();
    for (const name of ['boss', 'cleo']) await enableTfa(world.app, world.as(name), PASSWORD);
  });

  afterAll(() => world?.app.close());

  const secretOf = async (name: string): Promise<unknown> => {
    const rows = (await world.state())['service_users'] ?? [];
    return rows.find(({ id }) => id === world.id(name))?.['tfa_secret'];
  };

  it.each(['boss', 'jon', 'hugo', 'late', 'admin'])(
    'cannot be ended by a delegate who does not hold everything that %s has',
    async (name) => {
      const before = await world.state();
      const dele = world.as('dele');
      expect((await dele.delete(`/users/${world.id(name)}/sessions`)).codes).toEqual(['FORBIDDEN']);
      expect(await world.state()).toEqual(before);
      expect((await world.as(name).get('/users/me')).status).toBe(200);
    },
  );

  it('cannot be ended by a caller who may not update the user, whatever they hold', async () => {
    const cleo = world.as('cleo');
    expect((await cleo.delete(`/users/${world.id('paul')}/sessions`)).codes).toEqual(['FORBIDDEN']);
    expect((await world.as('paul').get('/users/me')).status).toBe(200);
  });

  it('can be ended by a delegate who does', async () => {
    const reply = await world.as('dele').delete(`/users/${world.id('paul')}/sessions`);
    expect(reply.status).toBe(204);
    expect((await world.as('paul').get('/users/me')).status).toBe(401);
  });

  it('stay where the delegate does not hold everything, over REST and GraphQL', async () => {
    const [dele, id] = [world.as('dele'), world.id('boss')];
    expect((await dele.post(`/users/${id}/tfa/disable`)).codes).toEqual(['FORBIDDEN']);
    const reply = await dele.post('/graphql/system', { query: DISABLE, variables: { id } });
    expect(reply.codes).toEqual(['FORBIDDEN']);
    expect(await secretOf('boss')).not.toBeNull();
  });

  it('are switched off where the delegate does', async () => {
    expect((await world.as('dele').post(`/users/${world.id('cleo')}/tfa/disable`)).status).toBe(
      204,
    );
    expect(await secretOf('cleo')).toBeNull();
  });
});
