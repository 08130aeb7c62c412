import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { Agent, type IncomingMessage, request as send } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { as, type Program, runProgram, signIn, TEST_ADMIN, until } from '../support';

const CLIENTS = 16;
/** Answers to all clients before the service is asked to stop. */
const ANSWERED = 100;

const dataDir = mkdtempSync(join(tmpdir(), 'doorward-stop-'));
afterAll(() => rmSync(dataDir, { recursive: true, force: true }));

const start = (): Program =>
  runProgram('src/main.ts', {
    ...{ DATA_DIR: dataDir, HOST: '127.0.0.1', PORT: '0', BCRYPT_COST: '4' },
    ...{ ADMIN_EMAIL: TEST_ADMIN.email, ADMIN_PASSWORD: TEST_ADMIN.password },
  });

const urlOf = async (program: Program): Promise<string> =>
  (await program.prints(/listens on (http:\S+)/))[1] ?? '';

interface Answer {
  readonly id: string;
  readonly status: number | undefined;
  readonly isLast: boolean;
}

let answered = 0;

/** Writes and reads in turns on one connection, until an answer says that it is the last. */
async function sendUntilLast(url: string, token: string, client: number): Promise<Answer[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const answers: Answer[] = [];
  do {
    const id = `${client}-${answers.length}`;
    const writes = answers.length % 2 === 0;
    const request = send(`${url}/roles`, {
      ...{ agent, method: writes ? 'POST' : 'GET' },
      headers: {
        ...{ authorization: `Bearer ${token}`, 'x-request-id': id },
        ...(writes && { 'content-type': 'application/json' }),
      },
    }).end(writes ? JSON.stringify({ name: id }) : undefined);
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    await text(response);
    const { statusCode: status, headers } = response;
    answered += 1;
    answers.push({ id, status, isLast: headers.connection === 'close' });
  } while (answers.at(-1)?.isLast === false);
  agent.destroy();
  return answers;
}

it('a service that is stopped under load answers and logs every request it received, and keeps every acknowledged write', async () => {
  const program = start();
  const url = await urlOf(program);
  const { access_token } = await signIn({ url }, TEST_ADMIN);
  const clients = Array.from({ length: CLIENTS }, (_, client) =>
    sendUntilLast(url, access_token, client),
  );
  await until(() => answered >= ANSWERED);
  program.child.kill('SIGTERM');
  const answers = (await Promise.all(clients)).flat();
  expect(await program.ends()).toBe(0);
  expect(answers.length).toBeGreaterThan(ANSWERED);
  expect(answers.filter(({ status }) => status !== 200)).toEqual([]);

  const logged = new Set(program.output().match(/(?<="request_id":")[\d-]+(?=")/g));
  expect(answers.filter(({ id }) => !logged.has(id))).toEqual([]);

  const again = start();
  const there = await urlOf(again);
  const admin = as({ url: there }, (await signIn({ url: there }, TEST_ADMIN)).access_token);
  const { data } = await admin.get<{ name: string }[]>('/roles?fields=name&limit=-1');
  const kept = new Set(data.map(({ name }) => name));
  const written = answers.filter(({ id }) => Number(id.split('-')[1]) % 2 === 0);
  expect(written.filter(({ id }) => !kept.has(id))).toEqual([]);
  again.child.kill('SIGTERM');
  expect(await again.ends()).toBe(0);
});
