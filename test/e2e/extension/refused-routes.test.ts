import { Controller, Get, Logger, Module, Post, type Type } from '@nestjs/common';
import { Query, ResolveField, Resolver } from '@nestjs/graphql';
import {
  type Caller,
  Collection,
  CollectionsModule,
  CurrentCaller,
  Field,
  ItemsController,
  Public,
  RequirePermission,
  SignedIn,
  TypeDefs,
} from 'doorward';
import { makeTestStorage, refusalOf, startTestApp, type TestStorage } from '../../support';

@Collection('bills')
class Bill {
  @Field.key('integer') id!: number;
}

@Controller('billing')
class BillingController {
  @Post('pay')
  pay(@CurrentCaller() caller: Caller): object {
    return { user: caller.user };
  }

  @Get('open')
  @Public()
  open(): void {}
}

@Controller('billing')
class MisspeltController {
  @Post('pay')
  @RequirePermission('update', 'bils')
  pay(): void {}

  @Get('far')
  @RequirePermission('read', 'nothing_like_it')
  far(): void {}

  @Get('nameless/:id')
  @RequirePermission('read')
  nameless(): void {}

  @Get('named/:collection')
  @RequirePermission('read')
  named(): void {}
}

@Controller('billing')
class WrongActionController {
  @Post('pay')
  @RequirePermission('write' as 'update', 'bills')
  pay(): void {}

  @Get('all')
  @RequirePermission('list' as 'read', '*')
  all(): void {}
}

@Controller('many')
class ManyController {}
for (let n = 1; n <= 22; n++) {
  const descriptor = { value: (): void => {}, configurable: true };
  Object.defineProperty(ManyController.prototype, `route${n}`, descriptor);
  Get(`r${n}`)(ManyController.prototype, `route${n}`, descriptor);
}

@Controller('own-bills')
class AddingController extends ItemsController(Bill) {
  @Get('extra/all')
  extra(): void {}
}

@Resolver('Paid')
@TypeDefs({ endpoint: 'items', sdl: 'type Paid { at: String } extend type Query { paid: Paid }' })
class PaidResolver {
  @Query('paid')
  paid(): object {
    return {};
  }

  @ResolveField('at')
  at(): string {
    return 'now';
  }
}

@Resolver()
@TypeDefs({ endpoint: 'system', sdl: 'extend type Query { due: String }' })
class DueResolver {
  @Query('due')
  @RequirePermission('read', 'bill')
  due(): string {
    return 'now';
  }
}

const says = (place: string): string =>
  `${place} declares no access: add @Public(), @SignedIn() or @RequirePermission(…).`;

const moduleOf = (controllers: Type[], providers: Type[] = []): Type => {
  @Module({ imports: [CollectionsModule.forFeature([Bill])], controllers, providers })
  class BillingModule {}
  return BillingModule;
};

let own: TestStorage;

beforeAll(async () => {
  own = await makeTestStorage();
});
afterAll(() => own.drop());

const starting = (host: 'own' | 'stock', controllers: Type[], providers: Type[] = []) =>
  startTestApp({
    ...{ host, storage: own.storage, logger: false, synchronize: true },
    imports: [moduleOf(controllers, providers)],
  });

describe('The service does not start with', () => {
  const refused: [string, 'own' | 'stock', Type[], Type[], string][] = [
    [
      'a route that declares no access',
      'own',
      [BillingController],
      [],
      says('BillingController.pay'),
    ],
    [
      'such a route among those of a collection, standalone or in a host',
      'stock',
      [AddingController],
      [],
      says('AddingController.extra'),
    ],
    [
      'such an operation, standalone or in a host',
      'stock',
      [],
      [PaidResolver],
      says('PaidResolver.paid'),
    ],
    [
      'permissions on collections that do not exist, or without a collection',
      'own',
      [MisspeltController],
      [],
      [
        "MisspeltController.pay has @RequirePermission('update', 'bils'): there is no such collection. Did you mean bills?",
        "MisspeltController.far has @RequirePermission('read', 'nothing_like_it'): there is no such collection.",
        "MisspeltController.nameless has @RequirePermission('read'), which names no collection, and its path has no :collection: name one.",
      ].join('\n'),
    ],
    [
      'actions that do not exist',
      'own',
      [WrongActionController],
      [],
      [
        "WrongActionController.pay has @RequirePermission('write', 'bills')",
        "WrongActionController.all has @RequirePermission('list', '*')",
      ]
        .map(
          (route) =>
            `${route}: there is no such action. The actions are create, read, update, delete, share, comment.`,
        )
        .join('\n'),
    ],
    [
      'an operation of a collection that does not exist',
      'own',
      [],
      [DueResolver],
      "DueResolver.due has @RequirePermission('read', 'bill'): there is no such collection. Did you mean bills?",
    ],
    [
      'many of them, of which twenty are listed',
      'own',
      [ManyController],
      [],
      [
        ...Array.from({ length: 20 }, (_, at) => says(`ManyController.route${at + 1}`)),
        'And 2 more like these.',
      ].join('\n'),
    ],
  ];

  it.each(refused)('%s', async (_, host, controllers, providers, message) => {
    expect(await refusalOf(starting(host, controllers, providers))).toMatchObject({
      name: 'RegistrationError',
      message,
    });
  });

  it('two decorators that both declare the access of a route', () => {
    const message = (place: string, upper: string, lower: string): string =>
      `${place} has both ${upper} and ${lower}, of which only one would count: keep one, and write a guard for what it does not say.`;
    const permission = "@RequirePermission('read', 'bills')";
    expect(() => {
      class Twice {
        @SignedIn()
        @RequirePermission('read', 'bills')
        pay(): void {}
      }
      return Twice;
    }).toThrow(message('Twice.pay', '@SignedIn()', permission));
    expect(() => {
      @RequirePermission('read', 'bills')
      @Public()
      class Twice {}
      return Twice;
    }).toThrow(message('Twice', permission, '@Public()'));
  });

  it('undefined in place of an entity, as after a circular import', () => {
    expect(() => CollectionsModule.forFeature([Bill, undefined as never])).toThrow(
      'CollectionsModule.forFeature([…]) is given undefined instead of an entity, at position 2: the import is wrong, or its file and another import each other.',
    );
  });
});

describe('In an application of a team', () => {
  it('the log names each route once that is closed because it declares no access', async () => {
    const warned = jest.spyOn(Logger.prototype, 'warn').mockImplementation();
    const app = await starting('stock', [BillingController]);
    await app.close();
    const warnings = warned.mock.calls.flat().filter((word) => String(word).includes('Billing'));
    warned.mockRestore();
    expect(warnings).toEqual([
      "BillingController.pay declares no access, so every request to it is refused: add @Public(), @SignedIn() or @RequirePermission(…), or set { guard: 'ours' }.",
    ]);
  });
});
