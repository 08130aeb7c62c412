import { Module } from '@nestjs/common';
import { Collection, CollectionsModule, Field } from 'doorward';
import { create, read, seed, type World } from '../factories';
import { startTestApp } from '../support';

/** Matching executes some 300 instructions for each character of the text. */
const SLOW = '(a?){100}a{100}$';

@Collection('texts')
class Text {
  @Field.key('integer') id!: number;
  @Field.text({ nullable: true }) words!: string | null;
  @Field.text({ nullable: true, pattern: SLOW }) shaped!: string | null;
  @Field.decimal({ precision: 12, scale: 2, nullable: true }) price!: string | null;
  @Field.decimal({ nullable: true }) share!: string | null;
}

@Module({ imports: [CollectionsModule.forFeature([Text])] })
class TextsModule {}

const having = (validation: object) => [
  read('texts', ['id']),
  create('texts', ['*'], {}, { validation }),
];
const finding = (pattern: string) => ({ words: { _regex: pattern } });
const prices = Array.from({ length: 1_000 }, (_, at) => `${at}.50`);

let world: World;

beforeAll(async () => {
  const app = await startTestApp({ imports: [TextsModule], synchronize: true });
  world = await seed(app, {
    policies: {
      slow: having(finding(SLOW)),
      plain: having(finding('^[ab]+$')),
      twice: having({ _and: [finding('^[ab]+$'), finding('^[ab]{1,}$')] }),
      once: having({ _and: [finding('^[ab]+$'), { price: { _nnull: true } }] }),
      priced: having({ price: { _in: prices } }),
      unpriced: having({ price: { _nin: prices } }),
      shared: having({ share: { _in: ['0', '-1.50', '1000'] } }),
    },
    users: Object.fromEntries(
      ['slow', 'plain', 'twice', 'once', 'priced', 'unpriced', 'shared'].map((name) => [
        name,
        { policies: [name] },
      ]),
    ),
  });
});

afterAll(() => world.app.close());

const post = (who: string, item: object) => world.as(who).post('/items/texts', item);
const REFUSED = [400, ['FAILED_VALIDATION']];

describe('60: a text that is too long for the pattern that it is matched with', () => {
  it.each([
    ['slow', 250_000, 'a'.repeat(150)],
    ['plain', 250_000, 'ab'.repeat(5_000)],
    ['twice', 40_000, 'ab'.repeat(5_000)],
  ])('does not meet the rule, and a shorter one may: %s', async (who, length, shorter) => {
    const long = await post(who, { words: 'a'.repeat(length) });
    expect([long.status, [...new Set(long.codes)]]).toEqual(REFUSED);
    expect(long.text).toContain('"field":"words"');
    expect((await post(who, { words: shorter })).status).toBe(200);
  });

  it('is matched once, however often the result is needed', async () => {
    const words = 'ab'.repeat(20_000);
    const refused = await post('once', { words });
    expect([refused.status, refused.codes]).toEqual(REFUSED);
    expect(refused.text).not.toContain('words');
    expect((await post('once', { words, price: '1' })).status).toBe(200);
  });

  it('breaks the limit of a field, also by an administrator', async () => {
    const long = await post('admin', { shaped: 'a'.repeat(250_000) });
    expect([long.status, long.codes]).toEqual(REFUSED);
    expect(long.text).toContain('"field":"shaped"');
    expect((await post('admin', { shaped: 'a'.repeat(150) })).status).toBe(200);
  });
});

describe('60: many rows, each compared with many values', () => {
  const rows = (price: string) => Array.from({ length: 2_500 }, () => ({ price }));

  it.each([
    ['priced', '999.5', 200],
    ['priced', '999.51', 400],
    ['unpriced', '999.51', 200],
    ['unpriced', '7.50', 400],
  ])('are judged like a single row: by %s, %s: %s', async (who, price, status) => {
    expect((await post(who, { price })).status).toBe(status);
    expect((await post(who, rows(price))).status).toBe(status);
  });

  it.each([
    ['0', 200],
    ['0.000', 200],
    ['-0', 200],
    ['-1.5', 200],
    ['-1.500', 200],
    ['1.5', 400],
    ['1000.00', 200],
    ['01000', 200],
    ['100', 400],
    ['10000', 400],
  ])('a decimal equals itself however it is written: %s: %s', async (share, status) => {
    const replies = [await post('shared', { share }), await post('shared', [{ share }, { share }])];
    expect(replies.map((reply) => reply.status)).toEqual([status, status]);
  });
});
