import { Collection, CollectionsModule, Field } from 'doorward';
import {
  comment,
  create,
  read,
  remove,
  type SeedData,
  seed,
  update,
  type World,
} from '../../factories';
import { startTestApp } from '../../support';

@Collection('customers')
class Customer {
  @Field.key('uuid') id!: string;
  @Field.text({ length: 40 }) name!: string;
  @Field.text({ nullable: true, pattern: '^[A-Z]{2}[0-9]+$' }) vat!: string | null;
  @Field.text({ nullable: true, concealed: true }) pin!: string | null;
  @Field.toOne('service_users', { nullable: true }) clerk!: string | null;
  @Field.toMany('invoices', 'customer') invoices!: number[];
}

@Collection('invoices')
class Invoice {
  @Field.key('integer') id!: number;
  @Field.text({ length: 20, unique: true }) number!: string;
  @Field.toOne(() => Customer) customer!: Customer | string;
  @Field.toOne('service_users', { nullable: true, createdBy: true }) author!: string | null;
  @Field.decimal({ precision: 10, scale: 2, default: '0' }) amount!: string;
  @Field.bigint({ nullable: true }) points!: string | null;
  @Field.double({ nullable: true }) weight!: number | null;
  @Field.date({ nullable: true }) due!: string | null;
  @Field.time({ nullable: true }) calls_at!: string | null;
  @Field.timestamp({ nullable: true }) sent_at!: Date | null;
  @Field.json({ nullable: true }) details!: object | null;
  @Field.array('text', { default: () => "'{}'" }) marks!: string[];
  @Field.enum(['draft', 'sent', 'paid'], { default: 'draft' }) status!: 'draft' | 'sent' | 'paid';
  @Field.boolean({ default: false }) urgent!: boolean;
  @Field.text({ nullable: true }) remark!: string | null;
  @Field.integer({ version: true }) version!: number;
  @Field.timestamp({ nullable: true, deletedAt: true }) deleted_at!: Date | null;
  @Field.computed('text', {
    from: ['number', 'remark'],
    sql: (of) => `${of('number')} || coalesce(${of('remark')}, '')`,
  })
  title!: string | null;
  @Field.computed('integer', {
    from: ['remark'],
    value: ({ remark }) => (remark as string | null)?.length ?? 0,
  })
  length!: number | null;
  @Field.toMany('lines', 'invoice') lines!: string[];
  @Field.manyToMany(() => Label) labels!: Label[];
}

@Collection('lines')
class Line {
  @Field.key('uuid') id!: string;
  @Field.toOne(() => Invoice, { onDelete: 'CASCADE' }) invoice!: Invoice | number;
  @Field.text({ length: 100 }) text!: string;
  @Field.integer({ default: 1, min: 1, max: 99 }) pieces!: number;
}

@Collection('labels')
class Label {
  @Field.key('text', { length: 10 }) id!: string;
  @Field.text({ nullable: true }) meaning!: string | null;
  @Field.json({ default: () => "'{}'" }) look!: object;
}

/** An entry about an invoice, which is kept when the invoice is deleted. */
@Collection('journal')
class Entry {
  @Field.key('integer') id!: number;
  @Field.toOne(() => Invoice, { constraint: false }) invoice!: number;
}

const OWN = { clerk: { _eq: '$CURRENT_USER' } } as const;

/** Clerks see some fields of all invoices, and all fields of those of their customers; they see no other customers. */
const CLERKS = [
  ...[read('customers', ['*'], OWN), update('customers', ['name', 'vat', 'pin'], OWN)],
  read('invoices', ['number', 'customer', 'author', 'status', 'version', 'title', 'lines', 'due']),
  read('invoices', ['*'], { customer: OWN }),
  create('invoices', ['number', 'customer', 'amount', 'due', 'marks', 'lines', 'labels', 'status']),
  update('invoices', ['status', 'due', 'remark', 'lines'], { customer: OWN }),
  remove('invoices', { status: { _eq: 'draft' } }),
  ...[read('lines', ['*'], { invoice: { customer: OWN } }), create('lines', ['*'])],
  ...[update('lines', ['text', 'pieces']), remove('lines')],
  ...[comment('labels'), read('labels', ['id']), read('journal', ['*'])],
  ...[read('service_users', ['first_name', 'role']), read('service_roles', ['name'])],
  ...[update('service_users', ['first_name'], { id: { _eq: '$CURRENT_USER' } })],
];

const SEED: SeedData = {
  policies: { clerks: CLERKS, visitors: [read('labels', ['id'])] },
  roles: { office: {} },
  users: {
    ann: { role: 'office', policies: ['clerks'], first_name: 'Ann', last_name: 'Lee' },
    guest: { policies: ['visitors'], last_name: 'Guest' },
  },
  rows: {
    customers: {
      acme: { name: 'Acme', clerk: '<ann>', pin: '1234' },
      other: { name: 'Other', vat: 'DE1' },
    },
    labels: { red: { id: 'red' }, blue: { id: 'blue', meaning: 'cold' } },
    invoices: {
      first: {
        ...{ number: 'A-1', customer: '<acme>', amount: '12.50', points: '9007199254740993' },
        ...{ weight: 1e-7, due: '2024-02-29', calls_at: '12:30', sent_at: '2024-02-29T12:00:00Z' },
        ...{ details: { by: 'post' }, marks: ['new'], remark: 'late', labels: ['red', 'blue'] },
      },
      second: { number: 'B-1', customer: '<other>', status: 'paid' },
      third: { number: 'A-2', customer: '<acme>' },
      gone: { number: 'A-3', customer: '<acme>' },
    },
    lines: {
      one: { invoice: '<first>', text: 'Paper', pieces: 3 },
      two: { invoice: '<second>', text: 'Ink' },
    },
    journal: { entry: { invoice: '<first>' }, lost: { invoice: '<gone>' } },
  },
};

/** A small office: an administrator, a clerk with rules for rows and fields, and a guest who sees almost nothing. */
export async function openOffice(env: Record<string, string> = {}): Promise<World> {
  const imports = [CollectionsModule.forFeature([Customer, Invoice, Line, Label, Entry])];
  const world = await seed(await startTestApp({ imports, synchronize: true, env }), SEED);
  await world.as('admin').delete(world.fill('/items/invoices/<gone>'));
  return world;
}

/** The same, with a comment by the clerk. */
export async function openCommentedOffice(): Promise<World> {
  const world = await openOffice();
  const comment = { collection: 'invoices', item: '<first>', comment: 'Hm' };
  await world.as('ann').post('/comments', world.fill(comment));
  return world;
}
