import { describePages } from './describe-pages';
import { adminOf, headingIs, makePerson, visitAs } from './people';

describePages('A person who must set up two-factor authentication first', (pages) => {
  it.each(['/admin/users', '/admin/users/new'])(
    'is told so, and offered to sign out, at %s',
    async (path) => {
      const admin = await adminOf(pages.test);
      const rights = { enforce_tfa: true, app_access: true };
      const person = await makePerson(admin, `barred${path.length}`, rights);
      const { page } = await visitAs(pages, person);
      await page.goto(path);
      await page.getByText('Set up two-factor authentication first').waitFor();
      await headingIs(page, path.endsWith('new') ? 'Create a user' : 'Users');
      // It would lead back here: the person is signed in.
      expect(await page.getByRole('link', { name: 'Back to sign-in' }).count()).toBe(0);
      await page.getByRole('button', { name: 'Sign out' }).click();
      await headingIs(page, 'Sign in');
    },
  );
});
