import assert from 'node:assert/strict';
import { as, signIn } from '../../src/testing/clients';
import { ADMIN } from './scenarios/people';
import type { Workplace } from './workplace';

/** Starts the application, and reads one protected row as a user who may, over REST and GraphQL. */
export async function useService(app: Workplace): Promise<void> {
  const running = await app.start(['node', 'dist/main.js']);
  try {
    await protectRow(running);
  } finally {
    assert.equal(await running.stop(), 0);
  }
}

async function protectRow(place: { readonly url: string }): Promise<void> {
  const admin = as(place, (await signIn(place, ADMIN)).access_token);
  const ann = { email: 'ann@example.com', password: 'open-sesame-2' };
  const policy = await admin.post<{ id: string }>('/policies', { name: 'Clerks' });
  const user = await admin.post<{ id: string }>('/users', { ...ann, policies: [policy.data.id] });
  const rule = {
    ...{ policy: policy.data.id, collection: 'invoices', action: 'read', fields: ['number'] },
    permissions: { owner: { _eq: '$CURRENT_USER' } },
  };
  assert.equal((await admin.post('/permissions', rule)).status, 200);
  const rows = [{ number: 'A-1', owner: user.data.id }, { number: 'A-2' }];
  assert.equal((await admin.post('/items/invoices', rows)).status, 200);
  const clerk = as(place, (await signIn(place, ann)).access_token);
  assert.deepEqual((await clerk.get('/items/invoices?fields=number')).data, [{ number: 'A-1' }]);
  const shown = await clerk.graphql('{ invoices { number } }');
  assert.deepEqual(shown.data, { invoices: [{ number: 'A-1' }] });
  const page = await fetch(`${place.url}/admin/login`);
  assert.match(await page.text(), /<script/);
  const editor = await fetch(`${place.url}/graphql`, { headers: { accept: 'text/html' } });
  const [, script = ''] = /src="\.\/(playground\/graphiql-[^"]+)"/.exec(await editor.text()) ?? [];
  assert.equal((await fetch(`${place.url}/${script}`)).status, 200);
}
