import {
  type ArgumentsHost,
  Catch,
  Controller,
  type ExceptionFilter,
  Get,
  Inject,
  type MiddlewareConsumer,
  Module,
  type NestModule,
  Scope,
  ValidationPipe,
} from '@nestjs/common';
import { APP_FILTER, APP_PIPE, REQUEST } from '@nestjs/core';
import { ApolloDriver, type ApolloDriverConfig } from '@nestjs/apollo';
import { GraphQLModule, Query, Resolver } from '@nestjs/graphql';
import cors from 'cors';
import {
  Collection,
  CollectionsModule,
  CurrentCaller,
  defineError,
  Field,
  ItemsController,
  ItemsResolver,
  Public,
  SignedIn,
} from 'doorward';
import type { NextFunction, Request, Response } from 'express';
import { seed, type World } from '../../factories';
import { startTestApp } from '../../support';

const PAGES = 'https://pages.example.com';
const TooHeavy = defineError('TOO_HEAVY', 422, 'Nobody carries that.');

@Collection('barrels')
class Barrel {
  @Field.key('integer') id!: number;
  @Field.text() title!: string;
}

@Collection('kegs')
class Keg {
  @Field.key('integer') id!: number;
  @Field.text() title!: string;
}

@Controller('kegs')
class KegsController extends ItemsController(Keg) {}

@Resolver()
class KegsResolver extends ItemsResolver(Keg) {}

/** Stands for `Caller`: tsc, unlike the compiler of these tests, also emits a class where a type alone is imported. */
class SomeCaller {
  readonly user!: string | null;
}

@Controller('team')
class TeamController {
  @Get('me')
  @SignedIn()
  me(@CurrentCaller() caller: SomeCaller): object {
    return { data: caller.user !== null };
  }

  @Get('heavy')
  @Public()
  heavy(): never {
    throw new TooHeavy({});
  }
}

@Resolver()
class TeamResolver {
  @Query('me')
  @SignedIn()
  me(@CurrentCaller() caller: SomeCaller): boolean {
    return caller.user !== null;
  }
}

@Catch()
class RequestFilter implements ExceptionFilter {
  constructor(@Inject(REQUEST) readonly request: Request) {}

  catch(error: unknown, host: ArgumentsHost): void {
    if (host.getType() !== 'http') throw new Error('caught by the team');
    host
      .switchToHttp()
      .getResponse<Response>()
      .status(500)
      .json({ team: String(error) });
  }
}

const strict = new ValidationPipe({
  ...{
    transform: true,
    whitelist: true,
    forbidNonWhitelisted: true,
    validateCustomDecorators: true,
  },
});

/** Some headers of the package `helmet`, as it sets them. */
function likeHelmet(_request: Request, response: Response, next: NextFunction): void {
  response.setHeader('Content-Security-Policy', "default-src 'self'; script-src 'self'");
  response.setHeader('Referrer-Policy', 'no-referrer');
  next();
}

@Module({
  imports: [
    CollectionsModule.forFeature([Barrel]),
    CollectionsModule.forFeature([Keg], { routes: false }),
    GraphQLModule.forRoot<ApolloDriverConfig>({
      ...{ driver: ApolloDriver, path: '/team/graphql', graphiql: false },
      typeDefs: 'type Query { me: Boolean! }',
    }),
  ],
  controllers: [KegsController, TeamController],
  providers: [
    ...[KegsResolver, TeamResolver],
    { provide: APP_PIPE, useValue: strict },
    { provide: APP_FILTER, useClass: RequestFilter, scope: Scope.REQUEST },
  ],
})
class TeamModule implements NestModule {
  configure(consumer: MiddlewareConsumer): void {
    consumer.apply(cors({ origin: true }), likeHelmet).forRoutes('*path');
  }
}

describe('beside global parts of a team', () => {
  let world: World;

  beforeAll(async () => {
    const env = { CORS_ORIGIN: PAGES };
    const app = { imports: [TeamModule], synchronize: true, host: 'stock' as const, env };
    world = await seed(await startTestApp(app), {});
  });

  afterAll(() => world.app.close());

  it.each([
    ['GET', '/team/me', undefined, { data: true }],
    ['POST', '/items/barrels?fields=title', { title: 'a' }, { data: { title: 'a' } }],
    ['POST', '/kegs?fields=title', { title: 'a' }, { data: { title: 'a' } }],
    ['GET', '/kegs?fields=title', undefined, { data: [{ title: 'a' }] }],
    ['POST', '/team/graphql', { query: '{ me }' }, { data: { me: true } }],
    [
      ...(['POST', '/graphql', { query: '{ barrels { title } kegs { title } }' }] as const),
      { data: { barrels: [{ title: 'a' }], kegs: [{ title: 'a' }] } },
    ],
    [
      ...(['POST', '/graphql/system', { query: '{ users_me { email } }' }] as const),
      { data: { users_me: { email: 'admin@example.com' } } },
    ],
  ])('a pipe that validates what decorators give does not touch ours: %s %s %j', async (...row) => {
    const [method, path, sent, answer] = row;
    const { status, body } = await world.as('admin').send(method, path, sent);
    expect([status, body]).toEqual([200, answer]);
  });

  it.each([
    ['/team/me', 403, 'FORBIDDEN'],
    ['/team/heavy', 422, 'TOO_HEAVY'],
    ['/items/barrels', 403, 'FORBIDDEN'],
  ])('a request-scoped filter does not see our errors: %s', async (path, status, code) => {
    const answer = await world.as(null).get(path);
    expect([answer.status, answer.codes]).toEqual([status, [code]]);
  });

  it('nor those at an endpoint of the team', async () => {
    const { body } = await world.as(null).post('/team/graphql', { query: '{ me }' });
    expect(body).toMatchObject({ errors: [{ extensions: { code: 'FORBIDDEN' } }] });
  });

  it.each(['/docs', '/admin/login', '/graphql', '/graphql/system'])(
    'the page %s keeps its own Content-Security-Policy',
    async (path) => {
      const { headers } = await fetch(world.app.url + path, { headers: { accept: 'text/html' } });
      expect(headers.get('content-security-policy')).toMatch(/^default-src 'none'; script-src/);
    },
  );

  it('what is no page has the one that the application sets', async () => {
    const { headers } = await fetch(`${world.app.url}/items/barrels`);
    expect(headers.get('content-security-policy')).toMatch(/^default-src 'self'/);
    expect(headers.get('cache-control')).toBe('no-store');
  });

  it.each([
    [PAGES, 'true'],
    ['https://evil.example.com', null],
  ])(
    'CORS headers of the team let only listed origins read with cookies: %s',
    async (origin, with_) => {
      const { headers } = await fetch(`${world.app.url}/server/ping`, { headers: { origin } });
      expect(headers.get('access-control-allow-credentials')).toBe(with_);
    },
  );
});
