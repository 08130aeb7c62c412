import { ApolloDriver, type ApolloDriverConfig } from '@nestjs/apollo';
import {
  type ArgumentsHost,
  Catch,
  Controller,
  type ExceptionFilter,
  Get,
  HttpException,
  Injectable,
  Logger,
  Module,
  Post,
  Req,
  UseGuards,
} from '@nestjs/common';
import { APP_FILTER } from '@nestjs/core';
import { GraphQLModule, Query, Resolver } from '@nestjs/graphql';
import { AuthGuard, PassportStrategy } from '@nestjs/passport';
import { MailerModule, MailerService } from '@nestjs-modules/mailer';
import {
  Collection,
  type CollectionHooks,
  CollectionsModule,
  defineError,
  Field,
  HooksOf,
  type Payload,
  Public,
  RegistrationError,
} from 'doorward';
import type { Request, Response } from 'express';
import { Strategy } from 'passport-local';
import { seed, type World } from '../../factories';
import { refusalOf, startTestApp, TEST_ADMIN } from '../../support';

@Collection('crates')
class Crate {
  @Field.key('integer') id!: number;
  @Field.text() title!: string;
}

class Overloaded extends Error {}
const TooHeavy = defineError('TOO_HEAVY', 507, 'Nobody carries that.');

@HooksOf('crates')
class CrateHooks implements CollectionHooks {
  beforeCreate({ title }: Payload): never {
    throw title === 'x' ? new Overloaded('too heavy') : new RangeError('out of bounds');
  }
}

@Catch(Overloaded)
class OverloadedFilter implements ExceptionFilter {
  catch({ message }: Overloaded, host: ArgumentsHost): unknown {
    if (host.getType<string>() === 'graphql') return new TooHeavy({});
    return host.switchToHttp().getResponse<Response>().status(507).json({ overloaded: message });
  }
}

@Catch(Error)
class LastFilter implements ExceptionFilter {
  catch(error: Error, host: ArgumentsHost): void {
    const status = error instanceof HttpException ? error.getStatus() : 500;
    host.switchToHttp().getResponse<Response>().status(status).json({ last: true });
  }
}

/** With the default name of passport-local. */
@Injectable()
class TeamStrategy extends PassportStrategy(Strategy) {
  validate(username: string, password: string): object | false {
    return password === 'sesame' && { username };
  }
}

@Controller('team')
@Public()
class TeamController {
  constructor(private readonly mailer: MailerService) {}

  @Get('mail')
  async mail(): Promise<object> {
    const sent = (await this.mailer.sendMail({ from: 'team@example.com', text: 'hello' })) as {
      message: string;
    };
    return { from: (JSON.parse(sent.message) as { from: object }).from };
  }

  @Post('enter')
  @UseGuards(AuthGuard('local'))
  enter(@Req() { user }: Request): object {
    return { user };
  }
}

@Resolver()
class WeatherResolver {
  @Query('weather')
  @Public()
  weather(): string {
    return 'fine';
  }
}

@Module({
  imports: [
    CollectionsModule.forFeature([Crate]),
    MailerModule.forRoot({ transport: { jsonTransport: true } }),
    GraphQLModule.forRoot<ApolloDriverConfig>({
      driver: ApolloDriver,
      path: '/team/graphql',
      typeDefs: 'type Query { weather: String! }',
      graphiql: false,
    }),
  ],
  controllers: [TeamController],
  providers: [
    ...[CrateHooks, TeamStrategy, WeatherResolver],
    { provide: APP_FILTER, useClass: LastFilter },
    { provide: APP_FILTER, useClass: OverloadedFilter },
  ],
})
class TeamModule {}

describe.each(['own', 'stock'] as const)(
  "beside a team's modules, on a host of kind %s",
  (host) => {
    let world: World;

    beforeAll(async () => {
      world = await seed(await startTestApp({ imports: [TeamModule], synchronize: true, host }));
    });

    afterAll(() => world.app.close());

    it('mails are sent through each mailer by its own users', async () => {
      expect((await world.as(null).get('/team/mail')).body).toMatchObject({
        from: { address: 'team@example.com' },
      });
      const asked = await world
        .as(null)
        .post('/auth/password/request', { email: TEST_ADMIN.email });
      expect(asked.status).toBe(204);
      expect((await world.as('admin').get('/server/health')).status).toBe(200);
    });

    it('each signs in by its own strategy', async () => {
      const enter = (password: string) =>
        world.as(null).post('/team/enter', { username: 'ann', password });
      expect((await enter('sesame')).body).toEqual({ user: { username: 'ann' } });
      expect((await enter('wrong')).status).toBe(401);
      expect((await world.as(null).post('/auth/login', TEST_ADMIN)).status).toBe(200);
    });

    it('a schema of the team that was registered first is answered only at its own endpoint', async () => {
      const query = '{ weather }';
      const theirs = await world.as(null).post('/team/graphql', { query });
      expect(theirs.body).toEqual({ data: { weather: 'fine' } });
      expect((await world.as('admin').post('/graphql', { query })).status).toBe(400);
    });

    it("a filter of the team handles its own errors on a collection's routes, and only those", async () => {
      const { status, body } = await world.as('admin').post('/items/crates', { title: 'x' });
      expect([status, body]).toEqual([507, { overloaded: 'too heavy' }]);
    });

    it.each([
      ['x', 'TOO_HEAVY'],
      ['y', 'INTERNAL_SERVER_ERROR'],
    ])(
      'and also over GraphQL, where a catch-all filter does not apply: %s',
      async (title, code) => {
        const log = jest.spyOn(Logger.prototype, 'error').mockImplementation();
        const query = `mutation { create_crates_item(data: {title: "${title}"}) { id } }`;
        expect((await world.as('admin').post('/graphql', { query })).codes).toEqual([code]);
        const logged = log.mock.calls.flat().join();
        log.mockRestore();
        expect(logged.includes('out of bounds')).toBe(title === 'y');
      },
    );
  },
);

describe('on a stock host', () => {
  let world: World;

  beforeAll(async () => {
    world = await seed(
      await startTestApp({ imports: [TeamModule], synchronize: true, host: 'stock' }),
    );
  });

  afterAll(() => world.app.close());

  it('a catch-all filter does not apply to our routes', async () => {
    const unknown = await world.as('admin').get('/items/crates?limit=x');
    expect([unknown.status, unknown.codes]).toEqual([400, ['INVALID_QUERY']]);
    const log = jest.spyOn(Logger.prototype, 'error').mockImplementation();
    const fault = await world.as('admin').post('/items/crates', { title: 'y' });
    log.mockRestore();
    expect([fault.status, fault.codes]).toEqual([500, ['INTERNAL_SERVER_ERROR']]);
  });

  it.each(['/graphql', '/graphql/system'])('%s is read and answered as in REST', async (path) => {
    const twice = await fetch(world.app.url + path, {
      method: 'POST',
      body: '{"query": "{ __typename }", "query": "{ __typename }"}',
      headers: { 'content-type': 'application/json' },
    });
    expect([twice.status, await twice.text()]).toEqual([400, expect.stringContaining('twice')]);
    const { headers } = await world.as('admin').post(path, { query: '{ __typename }' });
    expect(headers.get('cache-control')).toBe('no-store');
    for (const name of ['etag', 'x-powered-by']) expect(headers.get(name)).toBeNull();
  });

  it.each(['/graphql', '/GraphQL/inner/'])('no endpoint of the team may be at %s', async (path) => {
    const theirs = GraphQLModule.forRoot<ApolloDriverConfig>({
      ...{ driver: ApolloDriver, path, typeDefs: 'type Query { weather: String! }' },
      ...{ include: [], graphiql: false },
    });
    expect(await refusalOf(startTestApp({ imports: [theirs], host: 'stock' }))).toEqual(
      new RegistrationError(
        `A GraphQLModule of yours is at ${path}, and /graphql is Doorward's: ` +
          "give yours another path, as in GraphQLModule.forRoot({ path: '/team/graphql' }).",
      ),
    );
  });
});
