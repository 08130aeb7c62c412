import { as, type BaseUrl, signIn, type TestClient } from '../../../src/testing/clients';
import { PASSWORD } from '../../../src/testing/seed-data';
import { type Transport, type TransportName, transportOf, type Key } from './transports';

/** The administrator of a home. */
export const ADMIN = { email: 'admin@example.com', password: 'correct-horse-battery' } as const;

/** The table of customers before the module is added. */
export const CUSTOMERS = [
  `CREATE TABLE tbl_customer (cust_no varchar(12) PRIMARY KEY, "Cust Name" text NOT NULL,
    office_cd varchar(20) NOT NULL, cr_limit numeric(12, 2) NOT NULL, unknown_to_us text)`,
  `INSERT INTO tbl_customer VALUES ('C-100', 'Old Mill', 'North', 1000, 'x'), ('C-200', 'Harbour', 'South', 1000, 'y')`,
];

/** The statement that a team adds to its generated migration. */
export const SETTINGS_ROW = 'INSERT INTO invoicing_settings DEFAULT VALUES';

export type Person = 'ann' | 'bob' | 'cora' | 'admin' | 'nobody';

const POLICIES = { ann: 'Clerk', bob: 'Clerk', cora: 'Bookkeeper' } as const;
const OFFICES = { ann: 'North', bob: 'South', cora: null } as const;

/** A running service with users, used over one transport. */
export interface Stage {
  readonly name: TransportName;
  transport(person: Person): Transport;
  client(person: Person): TestClient;
  /** The keys of created rows, for later scenarios. */
  readonly made: Map<string, Key>;
}

export type People = ReadonlyMap<Person, TestClient>;

/** Users with the module's policies and field, created through the API, as an administrator would. */
export async function bringPeople(service: BaseUrl): Promise<People> {
  const admin = as(service, (await signIn(service, ADMIN)).access_token);
  const policies = await admin.get<{ id: string; name: string }[]>('/policies?fields=id,name');
  const people = new Map<Person, TestClient>([
    ['admin', admin],
    ['nobody', as(service)],
  ]);
  for (const name of ['ann', 'bob', 'cora'] as const) {
    const credentials = { email: `${name}@example.com`, password: PASSWORD };
    const policy = policies.data.find((each) => each.name === POLICIES[name])?.id;
    const user = { ...credentials, office: OFFICES[name], policies: [policy] };
    const made = await admin.post('/users', user);
    if (made.status !== 200) throw new Error(`${name} was refused: ${made.text}`);
    people.set(name, as(service, (await signIn(service, credentials)).access_token));
  }
  return people;
}

export function stageOf(name: TransportName, people: People): Stage {
  const client = (person: Person): TestClient => {
    const found = people.get(person);
    if (!found) throw new Error(`Nobody is called ${person}`);
    return found;
  };
  return {
    name,
    client,
    transport: (person) => transportOf(name, client(person)),
    made: new Map(),
  };
}
