import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  AccessFilesService,
  parseAccessCommand,
  runAccessCommand,
} from '../../../src/access-files';
import { seed, type World } from '../../factories';
import { startTestApp, type TestApp, type TestClient } from '../../support';

let app: TestApp;
let world: World;
let admin: TestClient;
let folder: string;

interface Outcome {
  readonly code: number;
  readonly out: readonly string[];
  readonly err: readonly string[];
}

/** Runs a command in this process, as the command line does. */
async function access(...args: string[]): Promise<Outcome> {
  const [out, err]: string[][] = [[], []];
  const code = await runAccessCommand(app.app.get(AccessFilesService), parseAccessCommand(args), {
    out: (text) => void out?.push(text),
    err: (text) => void err?.push(text),
    colours: false,
  });
  return { code, out: out ?? [], err: err ?? [] };
}

const file = (name: string): string => join(folder, name);
const write = (name: string, text: string): string => {
  writeFileSync(file(name), text);
  return file(name);
};

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'doorward-access-'));
  app = await startTestApp();
  world = await seed(app);
  admin = world.as('admin');
});

afterAll(async () => {
  await app.close();
  rmSync(folder, { recursive: true, force: true });
});

afterEach(() => world.restore());

/** Exports a file, and then makes two changes by hand. */
async function drifted(): Promise<string> {
  const policy = String(
    (await admin.post('/policies', { name: 'Editing', ip_access: ['::1'] })).data['id'],
  );
  const rules = file('rules.yaml');
  expect(await access('export', rules)).toEqual({ code: 0, out: [], err: [] });
  await admin.post('/roles', { name: 'By \u001B[31mhand' });
  await admin.patch(`/policies/${policy}`, { ip_access: [] });
  return rules;
}

const CHANGE = ['~ policy editing', '    ip_access: [] → ["::1"]'];
const LACK = ['- role by-31mhand', '    name: "By \\u001b[31mhand"'];
const NOTE = 'Note: role by-31mhand goes; 0 users have it';

describe('the output', () => {
  it('of diff shows what apply would change', async () => {
    expect(await access('diff', await drifted())).toEqual({
      code: 2,
      out: [
        ...CHANGE,
        'What the file lacks (1) is kept; --prune counts it.',
        'The file and the database differ: 0 to create, 1 to change, 0 to delete.',
      ],
      err: [],
    });
  });

  it('of diff --prune shows every difference', async () => {
    expect(await access('diff', await drifted(), '--prune')).toEqual({
      code: 2,
      out: [
        ...LACK,
        ...CHANGE,
        NOTE,
        'The file and the database differ: 0 to create, 1 to change, 1 to delete.',
      ],
      err: [],
    });
  });

  it('of a dry run shows what would be done, and which options do it', async () => {
    const rules = await drifted();
    const before = await world.state();
    expect(await access('apply', rules)).toEqual({
      code: 2,
      out: [
        ...CHANGE,
        'What the file lacks (1) is kept; --prune deletes it.',
        'Tried, and nothing changed: 0 to create, 1 to change, 0 to delete. --yes applies it.',
      ],
      err: [],
    });
    expect((await access('apply', rules, '--prune')).out.at(-1)).toBe(
      'Tried, and nothing changed: 0 to create, 1 to change, 1 to delete. --prune --yes applies it.',
    );
    expect(await world.state()).toEqual(before);
  });

  it('of apply shows what was done', async () => {
    const rules = await drifted();
    expect((await access('apply', rules, '--yes')).out.slice(-2)).toEqual([
      'What the file lacks (1) is kept; --prune deletes it.',
      'Applied: 0 to create, 1 to change, 0 to delete.',
    ]);
    const kept = {
      code: 0,
      out: [
        'What the file lacks (1) is kept; --prune counts it.',
        'The database matches the file.',
      ],
      err: [],
    };
    expect(await access('diff', rules)).toEqual(kept);
    expect(await access('apply', rules)).toMatchObject({ code: 0 });
    expect((await access('diff', rules, '--prune')).code).toBe(2);
    expect(await access('apply', rules, '--yes', '--prune')).toEqual({
      code: 0,
      out: [...LACK, NOTE, 'Applied: 0 to create, 0 to change, 1 to delete.'],
      err: [],
    });
    expect(await access('diff', rules, '--prune')).toEqual({
      code: 0,
      out: ['The database matches the file.'],
      err: [],
    });
  });

  it('of diff --prune counts who holds what goes: by a grant that has ended nobody, as everyone all users', async () => {
    const rules = await drifted();
    const user = String((await admin.get('/users/me?fields=id')).data['id']);
    const grants = [
      { policy: { name: 'Past' }, user, expires_at: '2020-01-01T00:00:00Z' },
      { policy: { name: 'Held' }, user, expires_at: '2999-01-01T00:00:00Z' },
      { policy: { name: 'For all' } },
    ];
    expect((await admin.post('/access', grants)).status).toBe(200);
    await admin.post('/users', { email: 'second@example.com' });
    const { out } = await access('diff', rules, '--prune');
    expect(out.filter((line) => line.startsWith('Note: policy'))).toEqual([
      'Note: policy for-all goes; 2 users have it',
      'Note: policy held goes; 1 user has it',
      'Note: policy past goes; 0 users have it',
    ]);
  });

  it('of diff --json is JSON', async () => {
    const { code, out } = await access('diff', await drifted(), '--json', '--prune');
    expect([code, JSON.parse(out.join('\n'))]).toEqual([
      2,
      {
        ...{ drift: true, applied: false, notes: [NOTE.replace('Note: ', '')] },
        changes: [
          expect.objectContaining({ kind: 'role', action: 'delete', key: 'by-31mhand', due: true }),
          expect.objectContaining({
            ...{ kind: 'policy', action: 'update', key: 'editing', due: true },
            fields: ['ip_access'],
          }),
        ],
      },
    ]);
  });

  it('of diff --json lists what is kept, which is no drift', async () => {
    const rules = await drifted();
    expect((await access('apply', rules, '--yes')).code).toBe(0);
    const { code, out } = await access('diff', rules, '--json');
    expect([code, JSON.parse(out.join('\n'))]).toMatchObject([
      0,
      { drift: false, changes: [{ action: 'delete', key: 'by-31mhand', due: false }] },
    ]);
  });

  it('of export warns of ids that may not exist in another database', async () => {
    const { data } = await admin.get('/users/me?fields=id');
    const policy = (await admin.post('/policies', { name: 'Editing' })).data['id'];
    const rule = {
      collection: 'service_users',
      action: 'read',
      permissions: { id: { _eq: data['id'] } },
    };
    expect((await admin.post('/permissions', { ...rule, policy, fields: ['email'] })).status).toBe(
      200,
    );
    expect((await access('export', file('ids.yaml'))).err).toEqual([
      `Note: policy editing, read service_users: permissions.id._eq holds the id ${String(data['id'])}, which another database may not have`,
    ]);
  });
});

describe('a file', () => {
  it('is written completely, and no temporary file is left', async () => {
    const rules = await drifted();
    expect(readFileSync(rules, 'utf8')).toContain('name: Editing');
    expect(readdirSync(folder).filter((name) => name.startsWith('rules.yaml'))).toEqual([
      'rules.yaml',
    ]);
  });

  it('keeps its mode, and is written through a link', async () => {
    const [real, link] = [write('real.yaml', 'old'), file('link.yaml')];
    chmodSync(real, 0o600);
    symlinkSync(real, link);
    await access('export', link);
    expect(readFileSync(real, 'utf8')).toContain('version: 1');
    expect(lstatSync(link).isSymbolicLink()).toBe(true);
    expect(statSync(real).mode & 0o777).toBe(0o600);
  });

  it('is created at the target of a link', async () => {
    symlinkSync(file('later.yaml'), file('early.yaml'));
    await access('export', file('early.yaml'));
    expect(readFileSync(file('later.yaml'), 'utf8')).toContain('version: 1');
    expect(lstatSync(file('early.yaml')).isSymbolicLink()).toBe(true);
  });

  it('that is a pipe is written to, and stays a pipe', async () => {
    const pipe = file('pipe');
    execFileSync('mkfifo', [pipe]);
    const [text] = await Promise.all([readFile(pipe, 'utf8'), access('export', pipe)]);
    expect(text).toContain('version: 1');
    expect(lstatSync(pipe).isFIFO()).toBe(true);
  });

  it('that is the standard output is printed', async () => {
    const stdout = file('stdout');
    symlinkSync('/dev/fd/1', stdout);
    const { out } = await access('export', stdout);
    expect(out.join('\n')).toMatch(/^# Roles.*\n\nversion: 1\n/);
    expect(lstatSync(stdout).isSymbolicLink()).toBe(true);
  });

  it('that cannot be read or written is named in the error', async () => {
    await expect(access('diff', file('missing.yaml'))).rejects.toThrow(
      `${file('missing.yaml')} cannot be read (ENOENT).`,
    );
    await expect(access('diff', folder)).rejects.toThrow(/cannot be read \(EISDIR\)/);
    await expect(access('export', join(folder, 'no', 'where'))).rejects.toThrow(
      /cannot be written/,
    );
    await expect(access('diff', write('large.yaml', ' '.repeat(4_000_001)))).rejects.toThrow(
      /is larger than 4 MB/,
    );
  });

  it('with errors is refused with the line of each, and nothing changes', async () => {
    const wrong = write(
      'wrong.yaml',
      'version: 1\nroles:\n  a: {name: A, color: red}\n  b: {name: B, parent: c}\n',
    );
    const before = await world.state();
    for (const args of [
      ['diff', wrong],
      ['apply', wrong, '--yes'],
    ]) {
      await expect(access(...args)).rejects.toThrow(
        `${wrong}:3:16 "color" is not known here; known are name, icon, description, parent, policies\n${wrong}:4:16 there is no role "c" here`,
      );
    }
    expect(await world.state()).toEqual(before);
  });
});
