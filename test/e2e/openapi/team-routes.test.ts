import { Controller, Get, Module } from '@nestjs/common';
import { Describe, Public, SignedIn } from 'doorward';
import { PASSWORD, seed, type World } from '../../factories';
import { as, startTestApp, type TestApp, type TestClient } from '../../support';

@Controller('shifts')
class ShiftsController {
  @Get('mine')
  @SignedIn()
  @Describe('The shifts of the caller')
  mine(): object {
    return { data: [] };
  }

  @Get('open')
  @Public()
  @Describe('The shifts that nobody has taken')
  open(): object {
    return { data: [] };
  }
}

@Module({ controllers: [ShiftsController] })
class ShiftsModule {}

let app: TestApp;
let world: World;

beforeAll(async () => {
  app = await startTestApp({ imports: [ShiftsModule] });
  world = await seed(app, { users: { ann: {} } });
});

afterAll(() => app.close());

const shiftsOf = async (client: TestClient): Promise<string[]> => {
  const { text } = await client.get('/server/specs/oas');
  const { paths } = JSON.parse(text) as { readonly paths: object };
  return Object.keys(paths).filter((path) => path.startsWith('/shifts'));
};

it('of callers with the same rights, each is shown those routes of a team that they may call', async () => {
  const body = { name: 'reports', current_password: PASSWORD };
  const { data } = await world.as('ann').post('/users/me/tokens', body);
  // With a static token she has no right on comments either, and so no more than callers who are not signed in.
  const callers = [world.as(null), as(app, String(data['token'])), world.as(null)];
  const shown: string[][] = [];
  for (const caller of callers) shown.push(await shiftsOf(caller));
  expect(shown).toEqual([['/shifts/open'], ['/shifts/mine', '/shifts/open'], ['/shifts/open']]);
});
