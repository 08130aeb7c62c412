import { anAddress, openRegistrationApp, type RegistrationApp } from '../../support';

let app: RegistrationApp;

beforeAll(async () => {
  app = await openRegistrationApp();
});

afterAll(() => app?.test.close());

describe('users_invite', () => {
  const invite = (query: string, variables: object) =>
    app.admin.post('/graphql/system', { query, variables });

  it('takes an address, or a list of them, but not both and not neither', async () => {
    const [one, two, three] = [anAddress(), anAddress(), anAddress()];
    const asPeer =
      'mutation ($e: String!, $r: String!) { users_invite(email: $e, role: $r, invite_url: null) }';
    const single = await invite(asPeer, { e: one, r: app.role });
    expect(single.data).toEqual({ users_invite: true });
    const many = 'mutation ($e: [String!]!, $r: String!) { users_invite(emails: $e, role: $r) }';
    expect((await invite(many, { e: [two, three], r: app.role })).codes).toEqual([]);
    for (const email of [one, two, three])
      expect(await app.stored(email)).toMatchObject([{ status: 'invited', role: app.role }]);
    const neither = 'mutation ($r: String!) { users_invite(email: null, role: $r) }';
    const both =
      'mutation ($e: String!, $r: String!) { users_invite(email: $e, emails: [$e], role: $r) }';
    const e = anAddress();
    for (const query of [neither, both]) {
      const { codes, body } = await invite(query, { e, r: app.role });
      expect(codes).toEqual(['INVALID_PAYLOAD']);
      const message =
        'Invalid payload: "email" or "emails" must be given to users_invite, and only one of them.';
      expect(body).toMatchObject({ errors: [{ message }] });
    }
    expect(await app.stored(e)).toEqual([]);
  });
});
