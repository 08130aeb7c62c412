import { TEST_ADMIN } from '../../support';
import { type Newsroom, openNewsroom } from '../extension/newsroom';
import { type Call, faultsOf } from './described';

let world: Newsroom;

beforeAll(async () => {
  world = await openNewsroom();
});

afterAll(() => world.app.close());

describe('an answer matches the document', () => {
  const CALLS: readonly Call[] = [
    ['admin', 'GET', '/items/articles', '/items/articles?fields=*,tags.*,notes.*,owner.first_name'],
    ['admin', 'GET', '/items/articles', '/items/articles?meta=*&filter[status]=published'],
    ['admin', 'GET', '/items/articles/{id}', '/items/articles/1'],
    ['admin', 'GET', '/items/articles/{id}', '/items/articles/999'],
    ['admin', 'GET', '/items/articles', '/items/articles?nothing=1'],
    ['admin', 'GET', '/items/articles', '/items/articles?aggregate[count]=*&groupBy=status'],
    ['admin', 'GET', '/items/site'],
    ['admin', 'POST', '/items/tags', '/items/tags', { name: 'one' }],
    ['admin', 'POST', '/items/tags', '/items/tags', [{ name: 'two' }, { name: 'three' }]],
    ['admin', 'PATCH', '/items/articles/{id}', '/items/articles/1', { title: 'Streams' }],
    ['admin', 'PATCH', '/items/articles', '/items/articles', { keys: [1], data: { qty: 4 } }],
    ['admin', 'DELETE', '/items/tags', '/items/tags', { query: { filter: { name: 'two' } } }],
    ['admin', 'GET', '/users', '/users?fields=*'],
    ['admin', 'GET', '/roles', '/roles?fields=*'],
    ['admin', 'GET', '/policies', '/policies?fields=*'],
    ['admin', 'GET', '/permissions', '/permissions?fields=*'],
    ['admin', 'GET', '/access', '/access?fields=*,user.email'],
    ['admin', 'GET', '/settings'],
    ['admin', 'GET', '/activity', '/activity?fields=*'],
    ['admin', 'GET', '/collections'],
    ['admin', 'GET', '/fields'],
    ['admin', 'GET', '/relations'],
    ['admin', 'GET', '/fields/{collection}', '/fields/articles'],
    ['admin', 'GET', '/users/me'],
    ['admin', 'GET', '/users/me/sessions'],
    ['admin', 'GET', '/users/me/tokens'],
    ['admin', 'GET', '/server/health'],
    ['admin', 'GET', '/permissions/me'],
    ['admin', 'GET', '/permissions/me/{collection}/{id}', '/permissions/me/articles/1'],
    ['admin', 'GET', '/permissions/me/{collection}', '/permissions/me/site'],
    ['admin', 'POST', '/graphql', '/graphql', { query: '{ articles { title } }' }],
    ['admin', 'POST', '/users/me/tfa/generate', undefined, { password: TEST_ADMIN.password }],
    ['admin', 'POST', '/articles/{id}/publish', '/articles/2/publish'],
    ['ann', 'GET', '/items/articles', '/items/articles?fields=*,notes.*'],
    ['ann', 'GET', '/roles/me'],
    ['ann', 'GET', '/policies/me/globals'],
    ['bob', 'GET', '/users', '/users?fields=*'],
    ['bob', 'GET', '/permissions/me'],
    ['bob', 'GET', '/users/me'],
    ['eve', 'GET', '/collections'],
    [null, 'GET', '/users/me'],
    [null, 'GET', '/auth'],
    [null, 'GET', '/server/ping'],
    [null, 'GET', '/server/health'],
    [null, 'GET', '/server/specs/oas'],
    [null, 'GET', '/server/specs/graphql/system'],
    [null, 'POST', '/auth/login', undefined, TEST_ADMIN],
    [null, 'POST', '/auth/login', undefined, { email: 'x' }],
    [null, 'POST', '/auth/login', undefined, { ...TEST_ADMIN, password: 'no' }],
    [null, 'POST', '/auth/refresh', undefined, {}],
    [null, 'POST', '/register', undefined, { email: 'new@example.com', password: 'long-enough' }],
    [null, 'GET', '/users/register/verify-email', '/users/register/verify-email?token=x'],
  ];

  it.each(CALLS.map((call) => ({ what: `${call[0]}: ${call[1]} ${call[3] ?? call[2]}`, call })))(
    '$what',
    async ({ call }) => {
      expect(await faultsOf(world, call)).toBeUndefined();
    },
  );
});
