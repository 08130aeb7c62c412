import {
  as,
  type LastingStorage,
  makeLastingStorage,
  onPostgres,
  type Program,
  runProgram,
  signIn,
  TEST_ADMIN,
  type TestClient,
} from '../support';

/** Starts take seconds, many on a busy machine. */
jest.setTimeout(120_000);

const ENOUGH = 50;
let own: LastingStorage;
let first: Program;
const running: Program[] = [];

beforeAll(async () => {
  own = await makeLastingStorage();
  first = start();
  await urlOf(first);
});

afterAll(async () => {
  for (const program of running.splice(0)) await kill(program);
  await own.drop();
});

function start(): Program {
  const program = runProgram('src/main.ts', {
    ...{ ...own.env, HOST: '127.0.0.1', PORT: '0', BCRYPT_COST: '4' },
    ...{ ADMIN_EMAIL: TEST_ADMIN.email, ADMIN_PASSWORD: TEST_ADMIN.password },
  });
  running.push(program);
  return program;
}

const kill = async ({ child, ends }: Program): Promise<void> => {
  child.kill('SIGKILL');
  await ends();
};

const urlOf = async (program: Program): Promise<string> =>
  (await program.prints(/listens on (\S+)/))[1] ?? '';

/** Creates policies one after the other until the service no longer answers; keeps the acknowledged ones. */
async function makePolicies(client: TestClient, kept: string[]): Promise<void> {
  for (;;) {
    const reply = await client.post('/policies', { name: 'kept' }).catch(() => undefined);
    if (reply === undefined) return;
    expect(reply.status).toBe(200);
    kept.push(String(reply.data['id']));
  }
}

const until = async (holds: () => boolean): Promise<void> => {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 10));
};

const idsOf = async (client: TestClient): Promise<Set<string>> => {
  const { body } = await client.get('/policies?fields=id&limit=-1');
  return new Set((body as { data: { id: string }[] }).data.map(({ id }) => id));
};

if (onPostgres() === undefined) {
  it('a second process on the same folder names its owner, and ends; the first continues', async () => {
    const url = await urlOf(first);
    const second = start();
    expect(await second.ends()).toBe(1);
    expect(second.output()).toContain(`in use by process ${first.child.pid}`);
    expect(second.output()).not.toMatch(/\n\s+at /);
    expect((await fetch(`${url}/server/ping`)).status).toBe(200);
  });
}

it('acknowledged writes survive kill -9 in the middle of writing, and no one is signed out', async () => {
  const { access_token: token } = await signIn({ url: await urlOf(first) }, TEST_ADMIN);
  const before = as({ url: await urlOf(first) }, token);
  const kept: string[] = [];
  const writers = [1, 2, 3].map(() => makePolicies(before, kept));
  await until(() => kept.length >= ENOUGH);
  await kill(first);
  await Promise.all(writers);

  const found = await idsOf(as({ url: await urlOf(start()) }, token));
  expect(kept.filter((id) => !found.has(id))).toEqual([]);
});
