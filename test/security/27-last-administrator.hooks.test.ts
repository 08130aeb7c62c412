import { Module } from '@nestjs/common';
import { type CollectionHooks, HooksOf, type Key, type WriteContext } from 'doorward';
import { PASSWORD, remove, seed, type World } from '../factories';
import { startTestApp } from '../support';

/** Writes rights as the system after the caller has written some. */
@HooksOf('service_users')
class FarewellHooks implements CollectionHooks {
  async afterDelete(keys: readonly Key[], { system }: WriteContext): Promise<void> {
    const name = `Without ${keys.join()}`;
    await system('farewell').write.create('service_roles', [{ name }]);
  }
}

@Module({ providers: [FarewellHooks] })
class FarewellModule {}

let world: World;

/** Eve is an administrator, but not at the address of the tests. */
beforeAll(async () => {
  world = await seed(await startTestApp({ imports: [FarewellModule] }), {
    policies: {
      leaving: [remove('service_users')],
      elsewhere: { rules: [], admin_access: true, ip_access: ['10.99.0.0/16'] },
    },
    roles: { remote: { policies: ['elsewhere'] } },
    users: { eve: { policies: ['leaving'], role: 'remote' } },
  });
});

afterAll(() => world.app.close());

it('27: the last administrator cannot delete themselves while a hook writes as the system', async () => {
  const eve = world.as('eve');
  const setStatus = (status: string): Promise<unknown> =>
    world.app.database.query('UPDATE service_users SET status = $2 WHERE id = $1', [
      world.id('admin'),
      status,
    ]);
  const leave = () => eve.delete('/users/me', { current_password: PASSWORD });
  expect((await eve.get('/users/me')).status).toBe(200);
  await setStatus('suspended');
  const refused = await leave();
  await setStatus('active');
  expect(refused.status).toBe(400);
  expect(refused.text).toContain('would leave no active administrator');
  expect((await leave()).status).toBe(204);
});
