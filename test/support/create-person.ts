import { as, type BaseUrl, signIn, type TestClient } from './clients';

/** A user who is signed in. */
export interface Person {
  readonly id: string;
  readonly email: string;
  readonly client: TestClient;
}

let count = 0;

/**
 * Creates a user with an address of their own, and signs them in.
 * @param values more fields of the user
 */
export async function createPerson(
  app: BaseUrl,
  admin: TestClient,
  password: string,
  values: object = {},
): Promise<Person> {
  const email = `person-${(count += 1)}@example.com`;
  const { status, data, text } = await admin.post('/users', { email, password, ...values });
  if (status !== 200) throw new Error(text);
  const { access_token } = await signIn(app, { email, password });
  return { id: String(data['id']), email, client: as(app, access_token) };
}
