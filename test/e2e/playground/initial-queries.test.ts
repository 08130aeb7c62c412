import { type DocumentNode, Kind, parse, print, validate } from 'graphql';
import { GraphqlSchemas } from '../../../src/graphql';
import {
  itemsInitialQuery,
  SYSTEM_INITIAL_QUERY,
} from '../../../src/graphql/playground/initial-queries';
import { startTestApp, TEST_ADMIN, type TestApp } from '../../support';
import { as, signIn } from '../../support/clients';
import { SampleModule } from '../../sample-extension/sample.module';

/** The operations on rules, and those of signing in, in the order in which the editor shows them. */
const OPERATIONS = [
  ...['permissions', 'permissions_by_id', 'create_permissions_items', 'create_permissions_item'],
  ...['update_permissions_items', 'update_permissions_item', 'delete_permissions_items'],
  ...['delete_permissions_item', 'permissions_me'],
  ...['auth_login', 'auth_refresh', 'auth_logout', 'auth_password_reset'],
];

/** Each operation of a document as a separate document, by the name of its root field. */
function examplesOf(document: DocumentNode): ReadonlyMap<string, string> {
  const examples = new Map<string, string>();
  for (const definition of document.definitions) {
    if (definition.kind !== Kind.OPERATION_DEFINITION) continue;
    const [root] = definition.selectionSet.selections;
    if (root?.kind === Kind.FIELD) examples.set(root.name.value, print(definition));
  }
  return examples;
}

const EXAMPLES = examplesOf(parse(SYSTEM_INITIAL_QUERY));

describe('the examples that the editor at /graphql/system starts with', () => {
  let test: TestApp;
  let token: string;
  let refresh: string;

  beforeAll(async () => {
    test = await startTestApp();
    const tokens = await signIn(test, TEST_ADMIN);
    [token, refresh] = [tokens.access_token, tokens.refresh_token];
  });

  afterAll(() => test.close());

  const run = async (
    operation: string,
    values: Readonly<Record<string, string>> = {},
    sent: string | undefined = token,
  ) => {
    const query = Object.entries(values).reduce(
      (text, [placeholder, value]) => text.replaceAll(placeholder, value),
      EXAMPLES.get(operation) ?? '',
    );
    const reply = await as(test, sent).post('/graphql/system', { query });
    return [reply.codes, reply.data[operation] as unknown] as const;
  };

  it('show each operation once, and each fits the schema', () => {
    const document = parse(SYSTEM_INITIAL_QUERY);
    expect(document.definitions).toHaveLength(OPERATIONS.length);
    expect([...EXAMPLES.keys()].toSorted()).toEqual(OPERATIONS.toSorted());
    const schema = test.app.get(GraphqlSchemas, { strict: false }).of('system');
    expect(validate(schema, document).map(({ message }) => message)).toEqual([]);
  });

  it('run unchanged, one after the other, with the ids and tokens of earlier answers', async () => {
    expect(await run('permissions')).toEqual([[], []]);
    const [faults, made] = await run('create_permissions_item');
    const { id, policy } = made as { id: string; policy: { id: string; name: string } };
    expect([faults, id, policy.name]).toEqual([[], '1', 'Own account']);
    expect(await run('permissions')).toMatchObject([[], [{ id: '1', policy }]]);
    expect(await run('permissions_by_id')).toMatchObject([[], { fields: ['email', 'first_name'] }]);
    expect(await run('create_permissions_items', { 'ID-OF-A-POLICY': policy.id })).toMatchObject([
      [],
      [{ id: '2' }, { id: '3' }],
    ]);
    expect(await run('permissions_me')).toMatchObject([[], { service_users: {} }]);
    expect(await run('update_permissions_item')).toMatchObject([
      [],
      { fields: ['email', 'last_name'] },
    ]);
    expect(await run('update_permissions_items')).toMatchObject([
      [],
      [{ fields: ['*'] }, { fields: ['*'] }],
    ]);
    expect(await run('delete_permissions_item')).toEqual([[], { id: '1' }]);
    expect(await run('delete_permissions_items')).toEqual([[], { ids: ['2', '3'] }]);
  });

  it('sign in, refresh, sign out and reset a password', async () => {
    const { email, password } = TEST_ADMIN;
    expect(await run('auth_login', { 'you@example.com': email, PASSWORD: password })).toMatchObject(
      [[], { access_token: expect.any(String) as string }],
    );
    const [, renewed] = await run('auth_refresh', { 'REFRESH-TOKEN': refresh });
    const successor = (renewed as { refresh_token: string }).refresh_token;
    expect(await run('auth_logout', { 'REFRESH-TOKEN': successor })).toEqual([[], true]);
    // No mail was sent; tests of forgotten passwords cover the rest.
    expect(await run('auth_password_reset')).toEqual([['INVALID_TOKEN'], null]);
  });
});

describe('the examples that the editor at /graphql starts with', () => {
  it('list the first collection', async () => {
    const test = await startTestApp({ imports: [SampleModule] });
    const initialQuery = itemsInitialQuery(
      test.app.get(GraphqlSchemas, { strict: false }).of('items'),
    );
    const { access_token } = await signIn(test, TEST_ADMIN);
    const reply = await as(test, access_token).post('/graphql', { query: initialQuery });
    expect([reply.codes, reply.data]).toEqual([[], { articles: [] }]);
    await test.close();
  });

  it('explain that there is no collection', async () => {
    const test = await startTestApp();
    const initialQuery = itemsInitialQuery(
      test.app.get(GraphqlSchemas, { strict: false }).of('items'),
    );
    expect(initialQuery).toContain('None is registered here.');
    const reply = await as(test).post('/graphql', { query: initialQuery });
    expect([reply.codes, reply.data]).toEqual([[], { __typename: 'Query' }]);
    await test.close();
  });
});
