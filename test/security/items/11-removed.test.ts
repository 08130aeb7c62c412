import type { DynamicModule, Type } from '@nestjs/common';
import { CollectionsModule } from 'doorward';
import { createDataSource } from '../../../src/database/data-source';
import { emailOf, PASSWORD, seed } from '../../factories';
import { SampleModule } from '../../sample-extension/sample.module';
import {
  as,
  makeLastingStorage,
  onPostgres,
  signIn,
  startTestApp,
  TEST_ADMIN,
  type TestApp,
  type TestClient,
  type TestStorage,
  withTextKeys,
} from '../../support';

import {
  Box,
  SEED,
  DROPPED,
  PoorVault,
  RETURNED,
  ROWS,
  TABLES,
  Vault,
} from './11-removed.fixtures';

/** The rules that remain, with the fields that remain. */
const LEFT = [
  { collection: 'vaults', action: 'read', fields: ['name'] },
  { collection: 'vaults', action: 'update', fields: [] },
  { collection: 'service_users', action: 'read', fields: ['email'] },
];

const RICH: (Type | DynamicModule)[] = [SampleModule, CollectionsModule.forFeature([Vault, Box])];
const POOR: (Type | DynamicModule)[] = [CollectionsModule.forFeature([PoorVault])];

let own: TestStorage;

beforeEach(async () => {
  own = await makeLastingStorage();
});

afterEach(() => own.drop());

const start = (imports: (Type | DynamicModule)[]): Promise<TestApp> =>
  startTestApp({ imports, storage: own.storage });

const rexIn = async (app: TestApp) =>
  as(app, (await signIn(app, { email: emailOf('rex'), password: PASSWORD })).access_token);

const rulesOf = ({ database }: TestApp): Promise<unknown> =>
  database.query('SELECT collection, action, fields FROM service_permissions ORDER BY id');

const adminIn = async (app: TestApp) => as(app, (await signIn(app, TEST_ADMIN)).access_token);

/** The answers to Rex's requests: the data, or the code of the refusal. */
async function visible(app: TestApp): Promise<unknown[]> {
  const rex = await rexIn(app);
  const replies = [
    await rex.get('/items/tags?fields=name'),
    await rex.get('/items/vaults'),
    await rex.get('/items/boxes'),
    await rex.post('/items/articles', { title: 'X' }),
    await rex.post('/items/vaults', { name: 'X' }),
    await rex.patch('/items/vaults/2', { code: 'X' }),
    await rex.patch('/items/vaults/2', { name: 'X' }),
    await rex.delete('/items/vaults/1'),
    await rex.post('/graphql', { query: '{ vaults { id name } }' }),
    await rex.get('/users?fields=email'),
  ];
  return replies.map(({ codes, data }) => codes[0] ?? data);
}

const REFUSED = 'FORBIDDEN';
const SECOND = { id: 2, name: 'Second' };

const run = async ({ database }: TestApp, statements: string): Promise<void> => {
  for (const statement of statements.split(';')) await database.query(statement);
};

/** Everything that Rex can see and do while nothing is missing. */
async function seesAll(app: TestApp): Promise<void> {
  const rex = await rexIn(app);
  expect((await rex.get('/items/tags?fields=name')).data).toEqual([{ name: 'red' }]);
  expect((await rex.get('/items/vaults?fields=name,code')).data).toEqual([
    { name: 'First', code: 'a' },
    { name: 'Second', code: expect.any(String) },
  ]);
  expect((await rex.patch('/items/vaults/2', { code: 'c' })).status).toBe(200);
  expect((await rex.get('/items/boxes?fields=label')).data).toEqual([{ label: 'x' }]);
}

const BEREFT = [
  ...[REFUSED, [SECOND], REFUSED, REFUSED, REFUSED, REFUSED, REFUSED, REFUSED],
  ...[{ vaults: [withTextKeys(SECOND)] }, [{ email: emailOf('rex') }]],
];

async function seeded(): Promise<TestApp> {
  const source = await createDataSource(own.storage, { entities: [], migrations: [] }).initialize();
  await source.query(TABLES).finally(() => source.destroy());
  const app = await start(RICH);
  await run(app, ROWS);
  await seed(app, SEED);
  return app;
}

it('11: a rule sleeps while only its module is missing, and applies again when it returns: nothing is lost', async () => {
  const first = await seeded();
  await seesAll(first);
  const rules = await rulesOf(first);
  await first.close();

  const second = await start(POOR);
  expect(await rulesOf(second)).toEqual(rules);
  expect(await visible(second)).toEqual(BEREFT);
  const admin = await adminIn(second);
  const sleeping = await admin.get(
    '/permissions?fields=id&filter={"collection":{"_in":["boxes","tags","articles"]}}',
  );
  expect(sleeping.data).toHaveLength(3);
  const all = await admin.get('/permissions?fields=asleep,collection,action&limit=-1&sort=id');
  const asleep = (all.data as unknown as { asleep: boolean; collection: string }[]).filter(
    (rule) => rule.asleep,
  );
  expect(asleep.map(({ collection }) => collection)).toEqual(ASLEEP);
  await changesSleeping(admin);
  await second.close();

  const third = await start(RICH);
  expect(await rulesOf(third)).toEqual(rules);
  await seesAll(third);
  const awake = await (await adminIn(third)).get('/permissions?filter={"asleep":{"_eq":true}}');
  expect(awake.data).toEqual([]);
  await third.close();
});

const ASLEEP = ['tags', 'articles', ...Array.from({ length: 9 }, () => 'vaults'), 'boxes'];

/** A sleeping rule may be sent back unchanged, but not changed to something that is not loaded. */
async function changesSleeping(admin: TestClient): Promise<void> {
  const [rule] = (await admin.get('/permissions?filter={"collection":{"_eq":"boxes"}}'))
    .data as unknown as { id: number }[];
  const path = `/permissions/${rule?.id}`;
  const patches: [object, number][] = [
    [{ ...rule, explain: true }, 200],
    [{ explain: false }, 200],
    [{ asleep: false }, 400],
    [{ permissions: { vault: { code: { _nnull: true } } } }, 400],
    [{ fields: ['*', 'label'] }, 400],
    [{ collection: 'vaults' }, 400],
  ];
  for (const [body, status] of patches) {
    expect([body, (await admin.patch(path, body)).status]).toEqual([body, status]);
  }
}

it('11: a rule for what was dropped is removed, logged, and does not come back with the name', async () => {
  const first = await seeded();
  await seesAll(first);
  await run(first, DROPPED);
  await first.close();

  const second = await start(POOR);
  expect(await rulesOf(second)).toEqual(LEFT);
  expect(await visible(second)).toEqual(BEREFT);
  await run(second, RETURNED);
  await second.close();

  const third = await start(RICH);
  expect(await rulesOf(third)).toEqual(LEFT);
  expect((await visible(third)).slice(0, 3)).toEqual(BEREFT.slice(0, 3));
  await third.close();
});

it('11: a rule does not come back either if its table was dropped and created again between two starts', async () => {
  const first = await seeded();
  await run(first, `${DROPPED};${RETURNED}`);
  await first.close();
  const second = await start(RICH);
  expect(await rulesOf(second)).toEqual(LEFT);
  await second.close();
});

it('11: no rule is lost if a COMMENT is lost or changed', async () => {
  const first = await seeded();
  const rules = await rulesOf(first);
  await run(first, `COMMENT ON TABLE vaults IS NULL; COMMENT ON COLUMN vaults.code IS 'the code'`);
  await first.close();
  const second = await start(RICH);
  expect(await rulesOf(second)).toEqual(rules);
  await seesAll(second);
  const [code] = await second.database.query(
    `SELECT col_description('vaults'::regclass, attnum) AS comment FROM pg_attribute WHERE attrelid = 'vaults'::regclass AND attname = 'code'`,
  );
  expect(code).toEqual({ comment: expect.stringMatching(/^the code \[doorward:[\w-]+\]$/) });
  await second.close();
});

if (onPostgres() !== undefined) {
  it('11: no rule is lost while two versions of an application run side by side', async () => {
    const rich = await seeded();
    const rules = await rulesOf(rich);
    const poor = await start(POOR);
    expect(await visible(poor)).toEqual(BEREFT);
    await changesSleeping(await adminIn(poor));
    await seesAll(rich);
    await poor.close();
    const again = await start(POOR);
    const late = await start(RICH);
    for (const app of [rich, late]) await seesAll(app);
    for (const app of [rich, again, late]) expect(await rulesOf(app)).toEqual(rules);
    await Promise.all([rich, again, late].map((app) => app.close()));
  });
}
