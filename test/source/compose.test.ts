import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { scripts } from '../../package.json';
import { AppConfig } from '../../src/config/app-config';
import { type Settings, withSettings } from '../../src/config/settings';

const ROOT = join(__dirname, '../..');
const OURS = ['doorward', 'instance-1', 'instance-2'];

interface Service {
  readonly image?: string;
  readonly healthcheck?: { readonly test: readonly string[] };
  readonly profiles?: readonly string[];
  readonly depends_on?: Readonly<Record<string, unknown>>;
  readonly environment?: Readonly<Record<string, string>>;
  readonly ports?: readonly string[];
  readonly volumes?: readonly string[];
  readonly build?: { readonly dockerfile_inline: string };
}

const { services, volumes } = parse(read('docker-compose.yml'), { merge: true }) as {
  readonly services: Readonly<Record<string, Service>>;
  readonly volumes: object;
};

function read(file: string): string {
  return readFileSync(join(ROOT, file), 'utf8');
}

/** The text with the file's defaults instead of unset variables; a default may contain another variable. */
function filledIn(text: string, set: Record<string, string> = {}): string {
  const filled = text.replaceAll(
    /\$\{(\w+):-([^${}]*)\}/g,
    (_, name: string, otherwise: string) => set[name] ?? otherwise,
  );
  return filled === text ? text : filledIn(filled, set);
}

const environmentOf = (name: string): Record<string, string> =>
  Object.fromEntries(
    Object.entries(services[name]?.environment ?? {}).map(([key, value]) => [key, filledIn(value)]),
  );

const profileOf = (name: string): string | undefined => services[name]?.profiles?.[0];

describe('docker-compose.yml', () => {
  it.each(OURS)('gives %s settings that exist, with valid values', (name) => {
    const environment = environmentOf(name);
    expect(Object.keys(environment).length).toBeGreaterThan(5);
    expect(() => withSettings({}, environment as Settings)).not.toThrow();
    expect(() => new AppConfig(environment)).not.toThrow();
  });

  it.each([
    ['doorward', 'PORT', 'http://localhost:3000'],
    ['instance-1', 'BALANCER_PORT', 'http://localhost:8080'],
  ])('sets %s to the published address, also if %s is set', (name, port, url) => {
    const said = services[name]?.environment?.['PUBLIC_URL'] ?? '';
    expect(filledIn(said)).toBe(url);
    expect(filledIn(said, { [port]: '4000' })).toBe('http://localhost:4000');
  });

  it('has two instances behind a pooler and a balancer, as in deploy/', () => {
    for (const name of ['instance-1', 'instance-2']) {
      expect(environmentOf(name)).toMatchObject({
        DATABASE_URL: 'postgres://doorward:doorward@pooler:6432/doorward',
        DATABASE_DIRECT_URL: 'postgres://doorward:doorward@postgres:5432/doorward',
        ...{ DATABASE_STATEMENT_NAMES: 'false', TRUST_PROXY: '1', PORT: '3000' },
      });
      expect(services[name]?.ports).toEqual([]);
    }
    const nginx = [...read('deploy/nginx.conf').matchAll(/server (\S+):(\d+) /g)];
    expect(nginx.map(([, host, port]) => [host, port])).toEqual([
      ['instance-1', '3000'],
      ['instance-2', '3000'],
    ]);
    expect(read('deploy/pgbouncer.ini')).toMatch(/^listen_port = 6432$/m);
    expect(read('deploy/pgbouncer.ini')).toMatch(/^doorward = host=postgres port=5432 /m);
    expect(services['balancer']?.ports).toEqual(['${BALANCER_PORT:-8080}:80']);
    expect(read('deploy/nginx.conf')).toContain('listen 80;');
  });

  it('names only services, profiles, files and volumes that exist', () => {
    for (const [name, { depends_on = {}, volumes: mounted = [] }] of Object.entries(services)) {
      for (const needed of Object.keys(depends_on)) {
        expect(Object.keys(services)).toContain(needed);
        // Otherwise it would not be started together with the services that need it.
        expect([undefined, profileOf(name)]).toContain(profileOf(needed));
      }
      for (const [source = ''] of mounted.map((each) => each.split(':'))) {
        if (source.startsWith('.')) expect(existsSync(join(ROOT, source))).toBe(true);
        else expect(Object.keys(volumes)).toContain(source);
      }
    }
  });

  it('builds no two images under one name, as builds at the same time may not', () => {
    const built = Object.entries(services).filter(([, { build }]) => build);
    const names = built.map(([name, { image = name }]) => image);
    expect(names).toEqual([...new Set(names)]);
    expect(names).toEqual(expect.arrayContaining(OURS));
  });

  it('waits for the PostgreSQL that others can reach, not for the one that creates the database', () => {
    expect(services['postgres']?.healthcheck?.test.at(-1)).toMatch(/^pg_isready -h 127\.0\.0\.1 /);
  });

  it('starts the service with the variables and flags of start:prod', () => {
    const image = services['doorward']?.build?.dockerfile_inline ?? '';
    const [variables, command] = scripts['start:prod'].split(' exec ');
    expect(/^ENV (.*)$/m.exec(image)?.[1]).toBe(variables);
    expect(JSON.parse(/^CMD (\[.*\])$/m.exec(image)?.[1] ?? '[]')).toEqual(command?.split(' '));
  });
});
