import { as, type Reply } from '../clients';

const PASSWORD = 'tall-ships-carry-salt';

export interface Person {
  readonly id: string;
  readonly email: string;
  readonly password: string;
  readonly token: string;
}

export interface People {
  readonly administrator: Person;
  /** Each reads, changes and deletes only their own articles. */
  readonly writers: readonly Person[];
  /** Reads title and status of published articles. */
  readonly reader: Person;
  /** Reads tags while a rule says so. */
  readonly guest: Person;
  /** The guest's policy, without a rule. */
  readonly guestPolicy: string;
}

/** The number of groups of users so far: each has different addresses. */
let made = 0;

const OWN = { owner: { _eq: '$CURRENT_USER' } };
const WRITTEN = ['title', 'body', 'qty', 'status'];
const RULES: Readonly<Record<'writer' | 'reader' | 'guest', readonly object[]>> = {
  writer: [
    { action: 'read', permissions: OWN, fields: ['id', 'owner', ...WRITTEN] },
    { action: 'create', presets: { owner: '$CURRENT_USER' }, fields: WRITTEN },
    { action: 'update', permissions: OWN, fields: WRITTEN },
    { action: 'delete', permissions: OWN, fields: [] },
    {
      collection: 'service_users',
      action: 'read',
      fields: ['id'],
      permissions: { id: { _eq: '$CURRENT_USER' } },
    },
  ],
  reader: [
    {
      action: 'read',
      permissions: { status: { _eq: 'published' } },
      fields: ['id', 'title', 'status'],
    },
  ],
  guest: [],
};

/**
 * Users whose rights differ, on an instance with the sample's collections.
 * @param credentials of an administrator
 */
export async function makePeople(
  url: string,
  credentials: { readonly email: string; readonly password: string },
  writers: number,
): Promise<People> {
  const mark = `${(made += 1)}`;
  const signIn = async (email: string, password: string): Promise<string> => {
    const { data, text } = await as({ url }).post<{ access_token?: string }>('/auth/login', {
      email,
      password,
    });
    if (data.access_token === undefined) throw new Error(text);
    return data.access_token;
  };
  const token = await signIn(credentials.email, credentials.password);
  const admin = as({ url }, token);
  const policies = new Map<string, string>();
  for (const [name, rules] of Object.entries(RULES)) {
    const policy = await idOf(admin.post('/policies', { name }));
    policies.set(name, policy);
    for (const rule of rules) {
      await idOf(admin.post('/permissions', { policy, collection: 'articles', ...rule }));
    }
  }
  const person = async (name: string, kind: string): Promise<Person> => {
    const login = { email: `${name}.${mark}@example.com`, password: PASSWORD };
    const user = await idOf(admin.post('/users', { ...login, status: 'active' }));
    await idOf(admin.post('/access', { user, policy: policies.get(kind) }));
    return { id: user, ...login, token: await signIn(login.email, PASSWORD) };
  };
  const people: Person[] = [];
  for (let at = 0; at < writers; at += 1) people.push(await person(`writer${at}`, 'writer'));
  return {
    administrator: { id: '', ...credentials, token },
    writers: people,
    reader: await person('reader', 'reader'),
    guest: await person('guest', 'guest'),
    guestPolicy: policies.get('guest') ?? '',
  };
}

async function idOf(sent: Promise<Reply>): Promise<string> {
  const { status, data, text } = await sent;
  if (status !== 200) throw new Error(`The people cannot be made: ${status} ${text}`);
  return String(data['id']);
}
