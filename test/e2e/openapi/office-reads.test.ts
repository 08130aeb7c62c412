import type { World } from '../../factories';
import { documentOf, faultsOf } from './described';
import { openCommentedOffice } from './office';

let world: World;
beforeAll(async () => {
  world = await openCommentedOffice();
});
afterAll(() => world.app.close());

const IDS: Readonly<Record<string, string>> = {
  '/users/{id}': '<ann>',
  '/roles/{id}': '<office>',
  '/policies/{id}': '<clerks>',
  '/permissions/{id}': '<clerks#1>',
  '/items/customers/{id}': '<acme>',
  '/items/invoices/{id}': '<first>',
  '/items/lines/{id}': '<one>',
  '/items/labels/{id}': 'red',
  '/items/journal/{id}': '1',
  '/permissions/me/{collection}/{id}': '<first>',
};

const addressOf = (template: string): string =>
  template
    .replace('{id}', IDS[template] ?? '1')
    .replace('{collection}', 'invoices')
    .replace('{field}', 'customer')
    .replace('{provider}', 'nobody');

const CALLERS = ['admin', 'ann', 'guest', null] as const;

it.each(CALLERS)('every answer to a GET of %s is described', async (name) => {
  const { paths } = await documentOf(world, name);
  const templates = Object.keys(paths).filter((path) => paths[path]?.['get'] !== undefined);
  const faults: unknown[] = [];
  for (const template of templates) {
    const path = addressOf(template);
    const fault = await faultsOf(world, [name, 'GET', template, path]);
    if (fault !== undefined) faults.push([template, fault]);
  }
  expect(templates.length).toBeGreaterThan(20);
  expect(faults).toEqual([]);
});

const QUERIES = [
  'fields=*',
  'fields=*.*',
  'fields=*.*.*',
  'meta=*',
  'limit=1&page=2',
  'sort=-id',
  'search=a',
  'fields=nothing',
  'limit=-2',
  'filter={"a":1}',
  'aggregate[count]=*',
];

it.each(CALLERS)('every answer of a list to %s is described', async (name) => {
  const { paths } = await documentOf(world, name);
  const lists = Object.keys(paths).filter((path) =>
    paths[path]?.['get']?.parameters?.some(({ $ref }) => $ref?.endsWith('/filter')),
  );
  const faults: unknown[] = [];
  for (const template of lists)
    for (const query of QUERIES) {
      const fault = await faultsOf(world, [name, 'GET', template, `${template}?${query}`]);
      if (fault !== undefined) faults.push([template, query, fault]);
    }
  if (name === 'admin') expect(lists.length).toBeGreaterThan(10);
  expect(faults).toEqual([]);
});

it('the link of a registration leads browsers to a page', async () => {
  const path = '/users/register/verify-email';
  const headers = { accept: 'text/html' };
  const reply = await fetch(`${world.app.url}${path}?token=x`, { headers, redirect: 'manual' });
  const { paths } = await documentOf(world, null);
  expect(Object.keys(paths[path]?.['get']?.responses ?? {})).toContain(String(reply.status));
  expect(reply.status).toBe(303);
});
