import {
  type ArgumentsHost,
  Body,
  type CallHandler,
  type CanActivate,
  Catch,
  Controller,
  type ExceptionFilter,
  type ExecutionContext,
  ForbiddenException,
  Get,
  HttpCode,
  Inject,
  Injectable,
  Module,
  type NestInterceptor,
  type PipeTransform,
  Post,
  Scope,
} from '@nestjs/common';
import { APP_FILTER, APP_GUARD, APP_INTERCEPTOR, APP_PIPE, REQUEST } from '@nestjs/core';
import { Args, Mutation, Query, ResolveField, Resolver } from '@nestjs/graphql';
import {
  type Answer,
  Arguments,
  type Caller,
  Collection,
  CollectionsModule,
  CurrentCaller,
  defineError,
  Field,
  ItemsController,
  ItemsResolver,
  Operation,
  Public,
  RequirePermission,
  SignedIn,
  TypeDefs,
} from 'doorward';
import type { Request, Response } from 'express';
import { tap } from 'rxjs';
import { seed, type World } from '../../factories';
import { startTestApp } from '../../support';

@Collection('memos')
class Memo {
  @Field.key('integer')
  id!: number;

  @Field.text()
  title!: string;
}

const Stormy = defineError('STORMY', 409, 'The weather is against it.');
class Storm extends Error {}

/** Written for REST only: it reads the request as in a controller's guard. */
@Injectable()
class ClosedGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const { headers } = context.switchToHttp().getRequest<Request>();
    if (headers['x-closed'] === 'yes') throw new ForbiddenException();
    return true;
  }
}

const called: string[] = [];

@Injectable()
class CallsInterceptor implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler) {
    const place = `${context.getClass().name}.${context.getHandler().name}`;
    return next.handle().pipe(tap(() => called.push(place)));
  }
}

/** Trims plain strings in bodies and arguments. */
@Injectable()
class TrimPipe implements PipeTransform {
  transform(value: unknown, { type, data }: { type: string; data?: string }): unknown {
    return typeof value === 'string' && type === 'body' && data === 'word' ? value.trim() : value;
  }
}

@Catch(Storm)
class StormFilter implements ExceptionFilter {
  catch(_storm: Storm, host: ArgumentsHost): unknown {
    if (host.getType<string>() === 'graphql') return new Stormy({});
    const errors = [{ message: 'The weather is against it.', extensions: { code: 'STORMY' } }];
    return host.switchToHttp().getResponse<Response>().status(409).json({ errors });
  }
}

@Controller('memos')
class MemosController extends ItemsController(Memo) {
  @Post('echo')
  @HttpCode(200)
  @Public()
  echo(@Body('word') word: string): { data: string } {
    return { data: word };
  }

  @Get('storm')
  @Public()
  storm(): never {
    throw new Storm();
  }

  @Post()
  @HttpCode(200)
  @RequirePermission('create', 'memos')
  override create(@CurrentCaller() me: Caller, @Body() body: object): Promise<Answer | undefined> {
    return this.items.create(me, { ...body, title: 'by our own route' }, {});
  }
}

@Resolver()
@TypeDefs({
  endpoint: 'items',
  sdl: `
    type weather { word: String asked_by: String }
    extend type Query { weather(word: String): weather storm: Boolean whoami: String }
    extend type Mutation { shout(word: String!): String }`,
})
class MemosResolver extends ItemsResolver(Memo) {
  @Query('weather')
  @Public()
  weather(@Args('word') word: string): { word: string } {
    return { word };
  }

  @Query('storm')
  @Public()
  storm(): never {
    throw new Storm();
  }

  @Query('whoami')
  @SignedIn()
  whoami(@CurrentCaller() caller: Caller): string | null {
    return caller.user;
  }

  @Mutation('shout')
  @Public()
  shout(@Args('word') word: string): string {
    return word.toUpperCase();
  }

  @Operation('deleteOne')
  @RequirePermission('delete', 'memos')
  override deleteOne(@CurrentCaller() _: Caller, @Arguments() { id }: Arguments): Promise<unknown> {
    return Promise.resolve({ id: `kept ${String(id)}` });
  }
}

/** Created for each request. */
@Resolver('weather')
@TypeDefs({ endpoint: 'items', sdl: 'extend type Query { agent: String }' })
@Injectable({ scope: Scope.REQUEST })
class AgentResolver {
  constructor(@Inject(REQUEST) private readonly request: Request) {}

  @Query('agent')
  @Public()
  agent(): string | undefined {
    return this.request.headers['user-agent'];
  }

  @ResolveField('asked_by')
  askedBy(): string {
    return 'somebody';
  }
}

@Resolver()
@TypeDefs({ endpoint: 'system', sdl: 'extend type Query { greeting: String storm: Boolean }' })
class GreetingResolver {
  @Query('greeting')
  @Public()
  greeting(): string {
    return 'hello';
  }

  @Query('storm')
  @Public()
  storm(): never {
    throw new Storm();
  }
}

@Module({
  imports: [CollectionsModule.forFeature([Memo], { routes: false })],
  controllers: [MemosController],
  providers: [
    ...[MemosResolver, AgentResolver, GreetingResolver],
    { provide: APP_GUARD, useClass: ClosedGuard },
    { provide: APP_INTERCEPTOR, useClass: CallsInterceptor },
    { provide: APP_PIPE, useClass: TrimPipe },
    { provide: APP_FILTER, useClass: StormFilter },
  ],
})
class MemosModule {}

let world: World;

beforeAll(async () => {
  world = await seed(await startTestApp({ imports: [MemosModule], synchronize: true }));
});

beforeEach(() => called.splice(0));

afterAll(() => world.app.close());

const ask = (path: string, query: string, headers = {}, caller: string | null = 'admin') =>
  world.as(caller).send('POST', path, { query }, headers);

const TRANSPORTS = [
  ['REST', () => world.as('admin').send('GET', '/memos', undefined, { 'x-closed': 'yes' })],
  ['/graphql', () => ask('/graphql', '{ memos { id } }', { 'x-closed': 'yes' })],
  ['/graphql, own operation', () => ask('/graphql', '{ weather { word } }', { 'x-closed': 'yes' })],
  ['/graphql/system', () => ask('/graphql/system', '{ users { id } }', { 'x-closed': 'yes' })],
  ['a mutation', () => ask('/graphql', 'mutation { shout(word: "x") }', { 'x-closed': 'yes' })],
] as const;

describe("A team's global guard", () => {
  it.each(TRANSPORTS)('runs for %s, and gets the request', async (_, send) => {
    const reply = await send();
    expect(reply.codes).toEqual(['FORBIDDEN']);
  });
});

describe("A team's global interceptor", () => {
  it('runs for routes and operations, both the team’s own and the generated ones', async () => {
    await world.as('admin').get('/memos');
    await ask('/graphql', '{ memos { id } weather { word } }');
    await ask('/graphql/system', '{ users_me { id } }');
    expect(called.toSorted()).toEqual([
      'MemosController.list',
      'MemosResolver.list',
      'MemosResolver.weather',
      'UsersResolver.me',
    ]);
  });
});

describe("A team's global pipe", () => {
  it('applies to bodies and arguments', async () => {
    const body = await world.as('admin').post('/memos/echo', { word: '  rain ' });
    expect(body.data).toBe('rain');
    const query = await ask('/graphql', '{ weather(word: "  rain ") { word } }');
    expect(query.data).toEqual({ weather: { word: 'rain' } });
  });
});

describe("A team's exception filter", () => {
  it.each([
    ['REST', () => world.as(null).get('/memos/storm')],
    ['/graphql', () => ask('/graphql', '{ storm }', {}, null)],
    ['/graphql/system', () => ask('/graphql/system', '{ storm }', {}, null)],
  ])('handles errors at %s', async (_, send) => {
    const reply = await send();
    expect(reply.codes).toEqual(['STORMY']);
  });
});

describe("A team's resolver", () => {
  it('answers only at the endpoint that it names', async () => {
    const items = await ask('/graphql', '{ whoami }');
    expect(items.data).toEqual({ whoami: String(world.id('admin')) });
    const system = await ask('/graphql/system', '{ greeting }', {}, null);
    expect(system.data).toEqual({ greeting: 'hello' });
    expect((await ask('/graphql', '{ greeting }')).status).toBe(400);
    expect((await ask('/graphql/system', '{ whoami }')).status).toBe(400);
  });

  it('is created per request if its scope says so, and resolves fields of its types', async () => {
    const reply = await ask('/graphql', '{ agent weather { asked_by } }', { 'user-agent': 'ours' });
    expect(reply.data).toEqual({ agent: 'ours', weather: { asked_by: 'somebody' } });
  });

  it('refuses callers without the declared access', async () => {
    expect((await ask('/graphql', '{ whoami }', {}, null)).codes).toEqual(['FORBIDDEN']);
  });

  it('and a controller override methods whose decorators they repeat', async () => {
    const made = await world.as('admin').post('/memos', { title: 'x' });
    expect(made.data).toMatchObject({ title: 'by our own route' });
    const reply = await ask('/graphql', 'mutation { delete_memos_item(id: 1) { id } }');
    expect(reply.data).toEqual({ delete_memos_item: { id: 'kept 1' } });
  });
});
