import { Controller } from '@nestjs/common';
import { Resolver } from '@nestjs/graphql';
import {
  type Caller,
  type CollectionService,
  Collections,
  CollectionsModule,
  defineError,
  DoorwardModule,
  FailedValidation,
  Field,
  Forbidden,
  InvalidPayload,
  ItemsController,
  ItemsResolver,
  type ProtectedRepository,
  provideRules,
  provideSchema,
  type RawQuery,
  SingletonController,
  SingletonResolver,
  type UpdateContext,
  type WriteContext,
} from 'doorward';
import { read, signedIn, type World } from 'doorward/testing';
import { Invoice } from './invoicing.module';

/* Exports without a written type: their declaration files can name only types that the package exports. */

@Controller('invoices')
export class InvoicesController extends ItemsController(Invoice) {
  override list(caller: Caller, query: RawQuery) {
    return super.list(caller, query);
  }
}

@Controller('settings')
export class SettingsController extends SingletonController('service_settings') {}

@Resolver()
export class InvoicesResolver extends ItemsResolver(Invoice) {}

@Resolver()
export class SettingsResolver extends SingletonResolver('service_settings') {}

export const Paid = defineError('PAID', 409, 'It is paid.');
export const Late = defineError<{ days: number }>('LATE', 409, ({ days }) => `${days} days late.`);
export const refusals = {
  field: (field: string) => new InvalidPayload({ field, reason: 'is missing' }),
  bound: (field: string) => new FailedValidation({ field, type: 'gte' }),
  other: () => new Forbidden({ collection: 'invoices' }),
};

export const decorators = {
  money: () => Field.decimal({ precision: 12, scale: 2 }),
  status: () => Field.enum(['draft', 'paid'], { nullable: true }),
  tags: () => Field.array('text'),
  person: () => Field.toOne('service_users', { nullable: true }),
  invoice: () => Field.toOne(() => Invoice),
  invoices: () => Field.toMany(() => Invoice, 'owner'),
  code: () => Field.key('text', { length: 9 }),
  exposed: () => Field.expose(),
};

export const providers = [
  provideSchema({ migrations: [] }),
  provideRules({ key: 'a', version: 1 }),
];
export const imports = [CollectionsModule.forFeature([Invoice]), DoorwardModule.forRoot()];

export class Everything {
  constructor(
    private readonly collections: Collections,
    private readonly service: CollectionService,
    private readonly rows: ProtectedRepository<Invoice>,
  ) {}

  answers(caller: Caller) {
    return this.service.list(caller, {});
  }

  pages(caller: Caller) {
    return this.rows.list(caller, { fields: ['number'] });
  }

  items(caller: Caller) {
    return this.collections.transaction(caller, ({ read: reader }) => reader.list(Invoice));
  }

  sql(caller: Caller) {
    return this.collections.transaction(caller, ({ tx }) => tx.query('SELECT 1 AS one'));
  }

  table(caller: Caller) {
    return this.collections.transaction(caller, ({ tx }) => tx.table('SELECT 1 AS one'));
  }

  handles(caller: Caller) {
    return this.collections.transaction(caller, async (work) => work);
  }

  contexts(update: UpdateContext, write: WriteContext) {
    return { before: update.before(), system: write.system('why'), write };
  }
}

export const rules = () => [read('invoices', ['number'])];
export const client = (world: World) => world.as('ann');
export const reply = (world: World) => world.as('ann').get('/items/invoices');
export const session = (world: World) => signedIn(world.app, { email: 'a', password: 'b' });
