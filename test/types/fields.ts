// Only compiled, by `npm run check:types`: marked lines must not compile, and all others must.
import { Field } from '../../src/kit';

const STATES = ['draft', 'sent', 'paid'] as const;

class Account {
  @Field.key('integer') id!: number;
  @Field.toOne(() => Account, { nullable: true }) parent!: Account | null;
  @Field.toMany(() => Account, 'parent') children!: Account[];
  @Field.toMany(() => Bill, 'account') bills!: string[];
}

class Bill {
  @Field.key('uuid') id!: string;
  @Field.toOne(() => Account) account!: number;
}

/** The values of a field fit the type of its property. */
export class Fits {
  @Field.key('bigint') number!: string;
  @Field.key('text', { length: 3 }) code!: string;
  @Field.text() title!: string;
  @Field.text({ nullable: true, length: 40 }) note!: string | null;
  @Field.text({ nullable: true }) anything!: unknown;
  @Field.text({ nullable: false }) said!: string | null;
  @Field.enum(STATES) state!: (typeof STATES)[number];
  @Field.enum(['a', 'b'], { default: 'a' }) letter!: 'a' | 'b' | 'c';
  @Field.enum(['a', 'b'], { nullable: true }) word!: string | null;
  @Field.integer({ version: true }) version!: number;
  @Field.double() rate!: number;
  @Field.bigint({ min: 0 }) big!: string;
  @Field.decimal({ precision: 12, scale: 2, nullable: true }) amount!: string | null;
  @Field.boolean({ default: false }) done!: boolean;
  @Field.uuid() token!: string;
  @Field.date() day!: string;
  @Field.time({ nullable: true }) hour!: string | null;
  @Field.timestamp({ createdAt: true }) made_at!: Date;
  @Field.timestamp({ updatedAt: true }) changed_at!: string;
  @Field.timestamp({ nullable: true, deletedAt: true }) deleted_at!: Date | string | null;
  @Field.json() data!: { readonly colour: string };
  @Field.json({ nullable: true }) extra!: object | null;
  @Field.array('text') words!: string[];
  @Field.array('integer', { nullable: true }) numbers!: readonly number[] | null;
  @Field.array('enum', { choices: STATES }) states!: (typeof STATES)[number][];
  @Field.array('text', { choices: STATES }) written_states!: (typeof STATES)[number][];
  @Field.computed('decimal', { from: ['amount'], sql: (column) => column('amount') })
  gross!: string;
  @Field.toOne(() => Account) account!: Account;
  @Field.toOne(() => Bill, { nullable: true, onDelete: 'SET NULL' }) bill!: string | null;
  @Field.toOne(() => Bill) either!: Bill | string;
  @Field.toOne('service_users', { createdBy: true, nullable: true }) owner!: string | null;
  @Field.toOne('accounts') named!: Account;
  @Field.manyToMany(() => Account) accounts!: Account[];
  @Field.through('service_users', { collection: 'bills', near: 'id', far: 'id' }) people!: string[];
  @Field.expose() taken!: unknown;
  @Field.expose({ concealed: true }) hidden!: string | null;
  @Field.expose({ type: 'integer' }) old!: number | null;
  @Field.expose({ type: 'timestamp' }) since!: Date;
  @Field.expose({ type: 'enum', choices: STATES }) kind!: (typeof STATES)[number] | null;
  @Field.expose({ type: 'enum', choices: ['a', 'b'] }) kinds!: ('a' | 'b')[];
  @Field.expose({ type: 'json' }) stored!: { readonly colour: string };
}

/** Each of these fields could have a value that does not fit the type of its property. */
export class FitsNot {
  // @ts-expect-error it may be null
  @Field.text({ nullable: true }) text!: string;
  // @ts-expect-error it may be null
  @Field.timestamp({ nullable: true }) moment!: Date;
  // @ts-expect-error it may be null
  @Field.json({ nullable: true }) json!: object;
  // @ts-expect-error it may be null
  @Field.array('text', { nullable: true }) list!: string[];
  // @ts-expect-error it may be null, not undefined
  @Field.integer({ nullable: true }) optional?: number;
  // @ts-expect-error it may be null
  @Field.toOne(() => Account, { nullable: true }) account!: Account;
  // @ts-expect-error it may be null
  @Field.toOne('accounts', { nullable: true }) named!: number;
  // @ts-expect-error it may be null
  @Field.enum(['a', 'b'], { nullable: true }) word!: 'a' | 'b';
  // @ts-expect-error it is text: a number would lose digits
  @Field.bigint() big!: number;
  // @ts-expect-error it is text
  @Field.decimal() amount!: number;
  // @ts-expect-error it is text
  @Field.date() day!: Date;
  // @ts-expect-error a number is not a boolean
  @Field.integer() count!: boolean;
  // @ts-expect-error it may be false as well
  @Field.boolean() done!: true;
  // @ts-expect-error it may be b as well
  @Field.enum(['a', 'b']) letter!: 'a';
  // @ts-expect-error it may be any text
  @Field.text() said!: 'yes' | 'no';
  // @ts-expect-error its default is not a number
  @Field.integer({ default: 'x' }) most!: number;
  // @ts-expect-error its default is not a boolean
  @Field.boolean({ default: 'yes' }) open!: boolean;
  // @ts-expect-error its values are numbers
  @Field.array('integer') words!: string[];
  // @ts-expect-error its members may be any text
  @Field.array('text') said_often!: ('yes' | 'no')[];
  // @ts-expect-error its members may be b as well
  @Field.array('text', { choices: ['a', 'b'] }) first_letters!: 'a'[];
  // @ts-expect-error its key is a number
  @Field.toOne(() => Account) key!: string;
  // @ts-expect-error it is one row
  @Field.toOne(() => Account) accounts!: Account[];
  // @ts-expect-error it is a list
  @Field.toMany(() => Bill, 'account') bill!: Bill;
  // @ts-expect-error a bill has no such field
  @Field.toMany(() => Bill, 'acount') bills!: Bill[];
  // @ts-expect-error it is another entity
  @Field.toOne(() => Bill) other!: Account;
  // @ts-expect-error its key is text
  @Field.key('uuid') id!: number;
  // @ts-expect-error there is no such option
  @Field.text({ nulable: true }) typo!: string;
  // @ts-expect-error there is no such option
  @Field.expose({ chioces: ['a'] }) misspelt!: string;
  // @ts-expect-error there is no such type
  @Field.expose({ type: 'string' }) unheard!: string;
  // @ts-expect-error the type of a list's members is missing
  @Field.expose({ type: 'array' }) listed!: string[];
  // @ts-expect-error it is text
  @Field.expose({ type: 'decimal' }) exact!: number;
  // @ts-expect-error it may be b as well
  @Field.expose({ type: 'enum', choices: ['a', 'b'] }) letters!: 'a' | null;
  // @ts-expect-error it may be any text
  @Field.expose({ type: 'enum' }) unlisted!: 'a' | 'b';
  // @ts-expect-error a column of another table's keys has no default
  @Field.toOne('accounts', { nullable: true, default: 1 }) preset!: string | null;
  // @ts-expect-error a relation cannot be secret
  @Field.toOne('accounts', { nullable: true, concealed: true }) secret!: string | null;
}

/** Decorators with names that are known only at run time are not checked. */
export function describeAtRunTime(prototype: object, name: string, nullable: boolean): void {
  Field.text({ nullable })(prototype, name);
}
