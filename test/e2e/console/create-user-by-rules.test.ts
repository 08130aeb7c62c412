import type { Page } from 'playwright-core';
import { answer, describePages, failure } from './describe-pages';
import { adminOf, makePerson, type Person, visitAs } from './people';

const USERS = { collection: 'service_users', action: 'create', permissions: {} };

async function create(page: Page, values: Readonly<Record<string, string>>): Promise<void> {
  await page.goto('/admin/users/new');
  for (const [name, value] of Object.entries(values)) {
    await page.locator(`[name="${name}"]`).fill(value);
  }
  await page.getByRole('button', { name: 'Create the user' }).click();
}

describePages('/admin/users/new for a person with rules', (pages) => {
  let clerk: Person;
  let recruiter: Person;

  beforeAll(async () => {
    const admin = await adminOf(pages.test);
    clerk = await makePerson(admin, 'clerk', { rules: [{ ...USERS, fields: ['email', 'role'] }] });
    const ours = { email: { _regex: '@ours\\.example$' } };
    const fields = ['email', 'password'];
    recruiter = await makePerson(admin, 'recruiter', {
      rules: [{ ...USERS, fields, validation: ours }],
    });
  });

  it('reports a required field that the form does not have: a role that the person cannot choose', async () => {
    const visit = await visitAs(pages, clerk);
    const refusal = failure('FAILED_VALIDATION', { field: 'role', type: 'required' });
    await answer(visit, '/users', 400, refusal);
    await create(visit.page, { email: 'eve@example.com' });
    await visit.page.getByRole('alert').getByText('The role is needed.').waitFor();
  });

  it('names the field if the rules do not accept the address', async () => {
    const { page } = await visitAs(pages, recruiter);
    await create(page, { email: 'eve@theirs.example', password: 'four-yellow-teapots' });
    await page.getByText('The e-mail does not follow the rules of this project.').waitFor();
  });
});
