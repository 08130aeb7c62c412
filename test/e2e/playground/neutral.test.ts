import { SampleModule } from '../../sample-extension/sample.module';
import { as, startTestApp, type TestApp } from '../../support';

/** Names in the schemas. */
const NAMES = /articles|categories|permissions|polic|auth_|roles|users|first_name|_by_id/i;

describe('the GraphQL editor without introspection', () => {
  let test: TestApp;

  beforeAll(async () => {
    const env = { GRAPHQL_INTROSPECTION: 'false', GRAPHQL_PLAYGROUND: 'true' };
    test = await startTestApp({ imports: [SampleModule], env });
  });

  afterAll(() => test.close());

  it.each(['/graphql', '/graphql/system'])('shows no name of the schema at %s', async (path) => {
    const page = await as(test).send('GET', path, undefined, { accept: 'text/html' });
    const initialQuery = /data-initial-query="([^"]*)"/.exec(page.text)?.[1];
    expect([page.status, initialQuery?.includes('Ctrl+Enter')]).toEqual([200, true]);
    expect(page.text).not.toMatch(NAMES);
  });
});
