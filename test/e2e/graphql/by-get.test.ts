import { request } from 'node:http';
import { seed, type World } from '../../factories';
import { startTestApp } from '../../support';

let world: World;

beforeAll(async () => {
  world = await seed(await startTestApp());
});
afterAll(() => world.app.close());

const PATHS = ['/graphql', '/graphql/system'];
const send = (method: string, path: string) => world.as('admin').send(method, path);

describe('a query by GET', () => {
  it.each(['variables=', 'extensions=', 'operationName=', 'variables=&extensions=&operationName='])(
    'is answered with empty parameters as if they were missing: %s',
    async (empty) => {
      for (const path of PATHS) {
        for (const url of [
          `${path}?query={__typename}&${empty}`,
          `${path}?${empty}&query={__typename}`,
        ]) {
          const { status, codes, data } = await send('GET', url);
          expect([status, codes, data]).toEqual([200, [], { __typename: 'Query' }]);
        }
      }
    },
  );

  it.each(['query=', 'query=&variables=', 'variables=x&query={__typename}', ''])(
    'that is invalid is refused: %s',
    async (asked) => {
      expect((await send('GET', `/graphql?${asked}`)).status).toBe(400);
    },
  );

  it('is refused with an unknown parameter, even if that is empty', async () => {
    expect((await send('GET', '/graphql?query={__typename}&other=')).status).toBe(400);
  });
});

describe('HEAD', () => {
  it.each([
    '?query={__typename}',
    '?query={__typename}&variables=',
    '?query={nothing}',
    '?query={',
    '',
    '?other=1',
    '?query=mutation{__typename}',
  ])('is answered like GET, without a body: %s', async (asked) => {
    for (const path of PATHS) {
      const [head, get] = [await send('HEAD', path + asked), await send('GET', path + asked)];
      expect([path, head.status, head.text]).toEqual([path, get.status, '']);
      expect(head.status).toBeLessThan(500);
      for (const name of ['content-type', 'content-length', 'allow'])
        expect([name, head.headers.get(name)]).toEqual([name, get.headers.get(name)]);
    }
  });

  it('with a body is answered too', async () => {
    const status = await new Promise((resolve, reject) => {
      const headers = { 'content-type': 'application/json', 'content-length': 2 };
      const sent = request(`${world.app.url}/graphql`, { method: 'HEAD', headers }, (reply) =>
        resolve(reply.resume().statusCode),
      );
      sent.on('error', reject).end('{}');
    });
    expect(status).toBe(400);
  });
});
