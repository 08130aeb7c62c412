import { Collection, CollectionsModule, Field } from 'doorward';
import { as, signIn, startTestApp, TEST_ADMIN, type TestApp, type TestClient } from '../../support';

@Collection('documents')
class Document {
  @Field.key('integer') id!: number;
  @Field.text() title!: string;
}
@Collection('verdicts')
class Verdict {
  @Field.key('integer') id!: number;
  @Field.text() title!: string;
}
@Collection('notices')
class Notice {
  @Field.key('integer') id!: number;
  @Field.text() title!: string;
}

let test: TestApp;
let admin: TestClient;

/** Keys as in tables that the service has not created. */
const KEYS = `
  CREATE SEQUENCE document_numbers;
  ALTER TABLE documents ALTER id DROP IDENTITY, ALTER id SET DEFAULT nextval('document_numbers');
  CREATE SEQUENCE verdict_numbers;
  CREATE FUNCTION next_verdict() RETURNS int LANGUAGE sql AS $$ SELECT 100 + nextval('verdict_numbers')::int $$;
  ALTER TABLE verdicts ALTER id DROP IDENTITY, ALTER id SET DEFAULT next_verdict();
  ALTER TABLE notices ALTER id DROP IDENTITY, ALTER id SET DEFAULT 7`;

beforeAll(async () => {
  const imports = [CollectionsModule.forFeature([Document, Verdict, Notice])];
  test = await startTestApp({ imports, synchronize: true });
  await test.database.query(KEYS);
  admin = as(test, (await signIn(test, TEST_ADMIN)).access_token);
});

afterAll(() => test.close());

const post = async (collection: string, body: object): Promise<unknown> =>
  (await admin.post(`/items/${collection}?fields=id`, body)).data;

describe.each([
  ['documents', 0, 'a sequence that belongs to no column'],
  ['verdicts', 100, 'a function'],
])('%s, numbered from %s by %s', (collection, first) => {
  it('skip the keys that were sent by hand, for one item as for many', async () => {
    const taken = Array.from({ length: 50 }, (_, at) => ({ id: first + at + 1, title: 'taken' }));
    await post(collection, taken);
    expect(await post(collection, { title: 'one' })).toEqual({ id: first + 51 });
    await post(collection, [{ id: first + 53, title: 'taken' }]);
    expect(await post(collection, { title: 'next' })).toEqual({ id: first + 52 });
    const many = Array.from({ length: 10 }, () => ({ title: 'many' }));
    expect(await post(collection, many)).toEqual(many.map((_, at) => ({ id: first + 54 + at })));
  });
});

it('a default that is always the same key is refused by name once it is taken', async () => {
  expect(await post('notices', { title: 'first' })).toEqual({ id: 7 });
  const { status, body } = await admin.post('/items/notices', { title: 'second' });
  expect(status).toBe(400);
  expect(body).toMatchObject({
    errors: [{ extensions: { code: 'RECORD_NOT_UNIQUE', collection: 'notices', field: 'id' } }],
  });
});
