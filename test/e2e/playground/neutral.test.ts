import { SampleModule } from '../../sample-extension/sample.module';
import { as, startTestApp, type TestApp } from '../../support';

/** Names that the schemas hold. */
const NAMES = /articles|categories|permissions|polic|auth_|roles|users|first_name|_by_id/i;

describe('the GraphQL editor where introspection is off', () => {
  let test: TestApp;

  beforeAll(async () => {
    const env = { GRAPHQL_INTROSPECTION: 'false', GRAPHQL_PLAYGROUND: 'true' };
    test = await startTestApp({ imports: [SampleModule], env });
  });

  afterAll(() => test.close());

  it.each(['/graphql', '/graphql/system'])('greets with no name at %s', async (path) => {
    const page = await as(test).send('GET', path, undefined, { accept: 'text/html' });
    const greeting = /data-greeting="([^"]*)"/.exec(page.text)?.[1];
    expect([page.status, greeting?.includes('Ctrl+Enter')]).toEqual([200, true]);
    expect(page.text).not.toMatch(NAMES);
  });
});
