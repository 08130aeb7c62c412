// Only compiled, by `npm run check:types`: marked lines must not compile, and all others must.
import {
  type Caller,
  Collection,
  type CollectionHooks,
  Collections,
  Field,
  type Filter,
  InjectCollection,
  type Item,
  type Key,
  type Payload,
  ProtectedRepository,
  type Query,
  type RawQuery,
  type Sent,
  type Stored,
  type UpdateContext,
  type Values,
  type WriteContext,
} from '../../src/kit';

@Collection('customers')
class Customer {
  @Field.key('integer') id!: number;
  @Field.text() name!: string;
  @Field.toOne(() => Customer, { nullable: true }) parent!: Customer | null;
  @Field.toMany(() => Invoice, 'customer') invoices!: Invoice[];
}

@Collection('invoices')
class Invoice {
  @Field.key('uuid') id!: string;
  @Field.text() number!: string;
  @Field.enum(['draft', 'sent']) state!: 'draft' | 'sent';
  @Field.integer() days!: number;
  @Field.boolean() paid!: boolean;
  @Field.decimal({ nullable: true }) total!: string | null;
  @Field.timestamp() issued_at!: Date;
  @Field.json({ nullable: true }) data!: { readonly colour: string } | null;
  @Field.toOne(() => Customer) customer!: Customer;
  @Field.toOne('service_users', { nullable: true }) owner!: string | null;
  @Field.manyToMany(() => Label) labels!: Label[];
  @Field.array('text') words!: string[];

  isOverdue(): boolean {
    return this.days > 30;
  }
}

@Collection('labels')
class Label {
  @Field.key('integer') id!: number;
  @Field.text() text!: string;
}

type Equal<A, B> =
  (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
const same = <A, B>(equal: Equal<A, B>): Equal<A, B> => equal;

export const items = (item: Item<Invoice>): unknown[] => [
  same<typeof item.id, string | undefined>(true),
  same<typeof item.number, string | null | undefined>(true),
  same<typeof item.state, 'draft' | 'sent' | null | undefined>(true),
  same<typeof item.issued_at, string | null | undefined>(true),
  same<typeof item.customer, number | Item<Customer> | null | undefined>(true),
  same<typeof item.labels, readonly (number | Item<Label>)[] | null | undefined>(true),
  // @ts-expect-error it may be hidden, or not requested
  item.number.length,
  // @ts-expect-error there is no such field
  item.nummer,
  // @ts-expect-error methods are not answered
  item.isOverdue,
];

export const filters: Filter<Invoice>[] = [
  { state: { _in: ['draft'] }, days: { _gt: 3, _null: false }, number: { _icontains: 'a' } },
  { _or: [{ paid: { _eq: true } }, { issued_at: { _lt: '$NOW(-1 day)' } }] },
  { customer: { name: { _eq: 'Acme' }, parent: { parent: { name: { _nnull: true } } } } },
  { customer: { _eq: 3 }, owner: { _eq: '$CURRENT_USER' }, total: { _gte: '10.50' } },
  { labels: { _none: { text: { _starts_with: 'x' } } }, words: { _nempty: true } },
  { 'year(issued_at)': { _eq: 2026 }, data: { _null: true } },
  // @ts-expect-error there is no such field
  { nummer: { _eq: 'a' } },
  // @ts-expect-error there is no such choice
  { state: { _eq: 'lost' } },
  // @ts-expect-error a number contains no text
  { days: { _contains: '3' } },
  // @ts-expect-error it is a number
  { days: { _eq: 'three' } },
  // @ts-expect-error booleans have no order
  { paid: { _gt: false } },
  // @ts-expect-error there is no such operator
  { number: { _equals: 'a' } },
  // @ts-expect-error a customer has no such field
  { customer: { nam: { _eq: 'a' } } },
  // @ts-expect-error a label has no such field
  { labels: { _some: { txt: { _eq: 'a' } } } },
  // @ts-expect-error there is no such field inside a list either
  { _and: [{ nummer: { _eq: 'a' } }] },
  // @ts-expect-error methods are not fields
  { isOverdue: { _eq: true } },
];

export const queries: Query<Invoice>[] = [
  { fields: ['*', 'number', 'customer.name', 'customer.parent.name', 'owner.email', 'labels.*'] },
  { fields: ['count(labels)', 'year(issued_at)', '*.*'], sort: ['-issued_at', 'customer.name'] },
  { limit: 10, page: 2, search: 'a', meta: 'total_count', deep: { labels: { _limit: 3 } } },
  // @ts-expect-error there is no such field
  { fields: ['nummer'] },
  // @ts-expect-error a customer has no such field
  { fields: ['customer.nam'] },
  // @ts-expect-error a timestamp leads nowhere
  { fields: ['issued_at.year'] },
  // @ts-expect-error there is no such field
  { sort: ['-nummer'] },
  // @ts-expect-error there is no such parameter
  { fliter: {} },
];

export const payloads: Payload<Invoice>[] = [
  { number: 'A1', state: 'sent', total: null, issued_at: '2026-01-01T00:00:00Z', customer: 3 },
  { customer: { name: 'Acme', parent: { name: 'Holding' } }, labels: [1, { text: 'new' }] },
  { labels: { create: [{ text: 'new' }], update: [{ id: 1, text: 'a' }], delete: [2] } },
  // @ts-expect-error there is no such field
  { nummer: 'A1' },
  // @ts-expect-error there is no such choice
  { state: 'lost' },
  // @ts-expect-error it cannot be null
  { number: null },
  // @ts-expect-error a customer's key is a number
  { customer: 'three' },
  // @ts-expect-error a label has no such field
  { labels: [{ txt: 'new' }] },
];

export class Billing {
  constructor(
    @InjectCollection(Invoice) private readonly invoices: ProtectedRepository<Invoice>,
    @InjectCollection(Customer) private readonly untyped: ProtectedRepository,
    @InjectCollection('labels') private readonly named: ProtectedRepository<Label>,
    // @ts-expect-error it belongs to another collection
    @InjectCollection(Customer) private readonly wrong: ProtectedRepository<Invoice>,
    private readonly collections: Collections,
  ) {}

  async drafts(caller: Caller, raw: RawQuery): Promise<(string | undefined)[]> {
    const { rows } = await this.invoices.list(caller, { filter: { state: { _eq: 'draft' } } });
    await this.invoices.list(caller, { aggregate: { sum: ['total'] }, groupBy: ['state'] });
    await this.invoices.create(caller, [{ number: 'A1', customer: 1 }], { fields: ['id'] });
    await this.untyped.list(caller, raw);
    await this.named.updateOne(caller, 1, { text: 'a' }, {});
    await this.collections.repository(Label).create(caller, [{ text: 'a' }], {});
    await this.collections.repository('labels').create(caller, [raw], {});
    // @ts-expect-error there is no such field
    await this.collections.repository(Label).create(caller, [{ txt: 'a' }], {});
    // @ts-expect-error there is no such field
    await this.invoices.updateOne(caller, '1', { nummer: 'A1' }, {});
    // @ts-expect-error there is no such field
    await this.invoices.delete(caller, { query: { filter: { nummer: { _eq: 'a' } } } });
    // Values from outside are checked when they are read.
    await this.invoices.list(caller, raw);
    return [...rows.map(({ id }) => id), this.wrong.collection.name];
  }
}

export class InvoiceHooks implements CollectionHooks<Invoice> {
  required(): readonly (keyof Invoice & 'number')[] {
    return ['number'];
  }

  beforeCreate(payload: Sent<Invoice>): Sent<Invoice> {
    // @ts-expect-error it is unchecked, and could be anything
    payload.number?.trim();
    // @ts-expect-error there is no such field
    void payload.nummer;
    return { ...payload, state: 'draft' };
  }

  beforeUpdate(
    payload: Sent<Invoice>,
    _keys: readonly unknown[],
    { set }: UpdateContext<Invoice>,
  ): Sent<Invoice> {
    set({
      state: 'sent',
      customer: 3,
      issued_at: '2026-01-01T00:00:00Z',
      words: ['a'],
      total: null,
    });
    // @ts-expect-error there is no such field
    set({ nummer: 'A1' });
    // @ts-expect-error there is no such choice
    set({ state: 'lost' });
    // @ts-expect-error it cannot be null
    set({ number: null });
    // @ts-expect-error a relation is set by its key
    set({ customer: { name: 'Acme' } });
    // @ts-expect-error a list of other rows is no field that is stored
    set({ labels: [1] });
    return payload;
  }

  defaults(): Stored<Invoice> {
    // @ts-expect-error it is a number
    void ({ days: '3' } satisfies Stored<Invoice>);
    return { days: 30, owner: null };
  }

  async afterUpdate(
    keys: readonly Key[],
    { before, read, system }: WriteContext<Invoice>,
  ): Promise<void> {
    const [row] = await before();
    same<NonNullable<typeof row>['customer'], number | undefined>(true);
    same<NonNullable<typeof row>['issued_at'], string | undefined>(true);
    // @ts-expect-error there is no such field
    void row?.nummer;
    const [invoice] = await read.list(Invoice, { filter: { id: { _in: keys.map(String) } } });
    same<typeof invoice, Item<Invoice> | undefined>(true);
    same<Awaited<ReturnType<typeof customer>>, Item<Customer>>(true);
    const customer = () => system('a look').read.one(Customer, 1, { fields: ['name'] });
    // @ts-expect-error there is no such field
    await read.list(Invoice, { filter: { nummer: { _eq: 'a' } } });
    const [sum] = await read.list(Invoice, { aggregate: { sum: ['total'] }, groupBy: ['state'] });
    void sum?.['state'];
    // @ts-expect-error there is no such field
    await read.list(Invoice, { aggregate: { sum: ['totals'] } });
    const [plain] = await read.list('invoices', { filter: { anything: 1 } });
    void plain?.['anything'];
  }

  toStored(values: Values<Invoice>): Values<Invoice> {
    // @ts-expect-error there is no such field
    values.get('nummer');
    return new Map([...values, ['number', 'A1']]);
  }
}

export class WrongHooks implements CollectionHooks<Invoice> {
  // @ts-expect-error there is no such field
  required(): readonly string[] {
    return ['nummer'];
  }
}
