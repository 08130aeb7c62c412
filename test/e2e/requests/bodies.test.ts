import { as, signIn, startTestApp, TEST_ADMIN, type TestApp } from '../../support';
import { SampleModule } from '../../sample-extension/sample.module';

let test: TestApp;
let token: string;

beforeAll(async () => {
  test = await startTestApp({ imports: [SampleModule] });
  token = (await signIn(test, TEST_ADMIN)).access_token;
});

afterAll(() => test.close());

const post = (
  path: string,
  body: NonNullable<RequestInit['body']>,
  method = 'POST',
): Promise<Response> =>
  fetch(test.url + path, {
    method,
    body,
    duplex: 'half',
    headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${token}` },
  } as RequestInit);

const nothing = (): ReadableStream =>
  new ReadableStream({ start: (controller) => controller.close() });

const count = async (path: string): Promise<unknown> =>
  (await as(test, token).get(`${path}?aggregate[count]=*`)).data;

describe('a body that is not what the route takes', () => {
  it.each<[string, string, unknown, string]>([
    ...[null, [], 5, 'x'].map((data): [string, string, unknown, string] => [
      'PATCH',
      '/items/articles',
      { keys: [2], data },
      'data',
    ]),
    ['PATCH', '/items/articles', { keys: [2, null], data: { title: 'X' } }, 'keys'],
    ['DELETE', '/items/articles', { keys: [2, null] }, 'keys'],
  ])('%s %s %j: names %s', async (method, path, body, field) => {
    const { status, body: answer } = await as(test, token).send(method, path, body);
    expect(status).toBe(400);
    const extensions = { code: 'INVALID_PAYLOAD', field };
    expect(answer).toMatchObject({ errors: [{ extensions }] });
  });
});

describe('a body that cannot be read', () => {
  it.each<[string, string, string, string, NonNullable<RequestInit['body']>, string]>([
    [
      'POST',
      '/items/tags',
      'is not UTF-8',
      'is not valid UTF-8',
      Buffer.from('{"name":"a\xff"}', 'latin1'),
      '/items/tags',
    ],
    [
      'POST',
      '/graphql',
      'is not UTF-8',
      'is not valid UTF-8',
      Buffer.from('{"query":"{a\xff}"}', 'latin1'),
      '/items/tags',
    ],
    ['POST', '/items/tags', 'is null', 'must be an object or a list', 'null', '/items/tags'],
    ['POST', '/items/tags', 'is a number', 'must be an object or a list', '5', '/items/tags'],
    ['POST', '/items/tags', 'is a text', 'must be an object or a list', '"x"', '/items/tags'],
    ['POST', '/items/tags', 'is invalid JSON', 'is not valid JSON', '{name}', '/items/tags'],
    [
      'POST',
      '/users',
      'is empty, in chunks',
      'body',
      nothing() as NonNullable<RequestInit['body']>,
      '/users',
    ],
    ['POST', '/users', 'is empty', 'body', '', '/users'],
    ['SEARCH', '/items/tags', 'is a list', 'the body must be an object', '[]', '/items/tags'],
    [
      'PATCH',
      '/items/tags',
      'is a list of strings',
      'every item must be an object',
      '["x"]',
      '/items/tags',
    ],
  ])('%s %s: %s', async (method, path, _, reason, body, counted) => {
    const before = await count(counted);
    const reply = await post(path, body, method);
    expect(reply.status).toBe(400);
    const { errors } = (await reply.json()) as {
      errors: { message: string; extensions: { code: string } }[];
    };
    expect(errors.map(({ extensions }) => extensions.code)).toEqual(['INVALID_PAYLOAD']);
    expect(errors[0]?.message).toContain(reason);
    expect(await count(counted)).toEqual(before);
  });
});
