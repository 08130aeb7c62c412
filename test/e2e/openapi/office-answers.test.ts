import { PASSWORD, type World } from '../../factories';
import { type Call, faultsOf } from './described';
import { openCommentedOffice } from './office';

let world: World;
beforeAll(async () => {
  world = await openCommentedOffice();
});
afterAll(() => world.app.close());

const INVOICE = { number: 'N-1', customer: '<acme>' };

const CALLS: readonly Call[] = [
  ['ann', 'GET', '/items/invoices', '/items/invoices?fields=year(due),count(lines),number'],
  ['ann', 'GET', '/items/invoices', '/items/invoices?fields=who.name&alias={"who":"customer"}'],
  ['ann', 'GET', '/items/invoices', '/items/invoices?aggregate[sum]=amount&groupBy=status'],
  ['ann', 'GET', '/items/invoices', '/items/invoices?aggregate[count]=number&groupBy=customer'],
  ['admin', 'GET', '/items/invoices', '/items/invoices?deleted=with&fields=*'],
  ['admin', 'GET', '/users/{id}', '/users/<ann>?fields=*.*'],
  ['admin', 'GET', '/roles/{id}', '/roles/<office>?fields=*,users.*,policies.*,parent.*'],
  ['admin', 'GET', '/policies/{id}', '/policies/<clerks>?fields=*,permissions.*,users.*,roles.*'],
  ['admin', 'GET', '/permissions/{id}', '/permissions/<clerks#1>?fields=*,policy.*'],
  ['admin', 'GET', '/users/me', '/users/me?fields=*,role.*,policies'],
  ['ann', 'GET', '/users/me', '/users/me?fields=*,role.name,policies'],
  ['ann', 'GET', '/roles/me', '/roles/me?fields=*'],
  ['ann', 'POST', '/items/invoices', undefined, INVOICE],
  ['ann', 'POST', '/items/invoices', undefined, [{ ...INVOICE, number: 'N-2', due: '2024-01-01' }]],
  ['ann', 'POST', '/items/invoices', undefined, INVOICE],
  ['ann', 'POST', '/items/invoices', undefined, { number: 7 }],
  ['ann', 'POST', '/items/invoices', undefined, { number: 'N-3', customer: '<other>' }],
  ['ann', 'POST', '/items/lines', '/items/lines?fields=*.*', { text: 'A', invoice: '<first>' }],
  ['ann', 'PATCH', '/items/invoices/{id}', '/items/invoices/<first>', { due: null, version: 99 }],
  ['ann', 'PATCH', '/items/invoices/{id}', '/items/invoices/<first>?fields=*.*', { due: null }],
  ['ann', 'PATCH', '/items/invoices/{id}', '/items/invoices/<second>', { due: null }],
  ['ann', 'PATCH', '/items/invoices', undefined, [{ id: '<first>', remark: 'x' }]],
  [
    'ann',
    'PATCH',
    '/items/invoices',
    undefined,
    { query: { filter: { number: 'none' } }, data: {} },
  ],
  ['ann', 'DELETE', '/items/invoices/{id}', '/items/invoices/<third>'],
  ['ann', 'DELETE', '/items/invoices', undefined, ['<second>']],
  ['ann', 'PATCH', '/users/me', '/users/me?fields=*', { first_name: 'Anna' }],
  [
    'guest',
    'PATCH',
    '/users/me',
    '/users/me?fields=*',
    { password: 'other-sesame-2', current_password: PASSWORD },
  ],
  ['ann', 'PATCH', '/users/me', undefined, { last_name: 'Nobody' }],
  ['ann', 'POST', '/users/me/tokens', undefined, { name: 't', current_password: PASSWORD }],
  ['ann', 'GET', '/users/me/tokens'],
  ['ann', 'POST', '/users/me/tfa/generate', undefined, { password: PASSWORD }],
  ['ann', 'POST', '/users/me/tfa/enable', undefined, { secret: 'x', otp: '1' }],
  ['ann', 'DELETE', '/users/me/sessions'],
  [
    'admin',
    'POST',
    '/permissions',
    undefined,
    { collection: 'labels', read: true, update: true, policy: '<visitors>' },
  ],
  [
    'admin',
    'POST',
    '/permissions',
    undefined,
    { collection: 'labels', action: 'delete', policy: '<visitors>' },
  ],
  [
    'admin',
    'POST',
    '/permissions',
    undefined,
    { collection: 'none', action: 'delete', policy: '<visitors>' },
  ],
  [
    'admin',
    'PATCH',
    '/permissions/{id}',
    '/permissions/<visitors#1>',
    { fields: ['id', 'meaning'] },
  ],
  ['admin', 'POST', '/roles', '/roles?fields=*.*', { name: 'r', policies: ['<visitors>'] }],
  ['admin', 'POST', '/policies', '/policies?fields=*.*', { name: 'p', ip_access: ['10.0.0.0/8'] }],
  ['admin', 'POST', '/access', '/access?fields=*.*', { policy: '<visitors>', role: '<office>' }],
  ['admin', 'POST', '/users', '/users?fields=*.*', { email: 'new@example.com', role: '<office>' }],
  ['admin', 'POST', '/users/invite', undefined, { email: 'i@example.com', role: '<office>' }],
  ['admin', 'PATCH', '/settings', '/settings?fields=*', { project_name: 'Office' }],
  [
    'admin',
    'POST',
    '/comments',
    '/comments?fields=*.*',
    { collection: 'invoices', item: '<first>', comment: 'Oh' },
  ],
  [
    'ann',
    'POST',
    '/comments',
    undefined,
    { collection: 'invoices', item: '<first>', comment: 'Oh' },
  ],
  ['guest', 'GET', '/server/info'],
  ['ann', 'POST', '/graphql', undefined, { query: '{ invoices { number customer { name } } }' }],
  ['ann', 'POST', '/graphql', undefined, { query: '{ customers { pin nothing } }' }],
  ['ann', 'POST', '/graphql/system', undefined, { query: '{ policies { id } }' }],
  ['ann', 'GET', '/graphql', '/graphql?query={invoices{number}}'],
  ['ann', 'GET', '/graphql', '/graphql?query=mutation{delete_labels_item(id:"red"){id}}'],
  [null, 'POST', '/auth/login', undefined, { email: 'ann@example.com', password: PASSWORD }],
  [
    null,
    'POST',
    '/auth/login',
    undefined,
    { email: 'ann@example.com', password: PASSWORD, mode: 'session' },
  ],
  [
    null,
    'POST',
    '/auth/login',
    undefined,
    { email: 'ann@example.com', password: PASSWORD, mode: 'cookie' },
  ],
  [null, 'POST', '/auth/refresh', undefined, { refresh_token: 'x' }],
  [null, 'POST', '/auth/logout', undefined, { refresh_token: 'x' }],
  [null, 'POST', '/auth/password/request', undefined, { email: 'ann@example.com' }],
  [null, 'POST', '/auth/password/reset', undefined, { token: 'x', password: PASSWORD }],
  [null, 'POST', '/users/invite/accept', undefined, { token: 'x', password: PASSWORD }],
  [null, 'POST', '/register', undefined, { email: 'x' }],
];

it.each(CALLS.map((call) => ({ what: JSON.stringify(call).slice(0, 140), call })))(
  'an answer is described: $what',
  async ({ call }) => {
    expect(await faultsOf(world, call)).toBeUndefined();
  },
);

it.each([
  ['{ customers { name } }', 'ann', 200],
  ['{ customers { nothing } }', 'ann', 400],
  ['{ customers { name } }', 'nobody with a token', 401],
])('an answer of the type of GraphQL is described: %s to %s', async (query, name, status) => {
  const accept = 'application/graphql-response+json';
  const isKnown = name === 'ann';
  const headers = { accept, ...(!isKnown && { authorization: 'Bearer of nothing' }) };
  const call: Call = [isKnown ? name : null, 'POST', '/graphql', undefined, { query }];
  expect(await faultsOf(world, call, headers)).toBeUndefined();
  const reply = await world.as(call[0]).send('POST', '/graphql', { query }, headers);
  expect([reply.status, reply.headers.get('content-type')]).toEqual([
    ...[status, `${accept}; charset=utf-8`],
  ]);
});
