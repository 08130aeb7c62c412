import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { refuseOtherPackages } from './peer-packages';

/** The root of folders that contain only a package.json. */
let root: string;

beforeEach(() => (root = realpathSync(mkdtempSync(join(tmpdir(), 'doorward-packages-')))));
afterEach(() => rmSync(root, { recursive: true }));

const OWN = 'app/node_modules/doorward';
const OUTSIDE = 'elsewhere/doorward';
const PEERS = {
  '@nestjs/core': '^12.5.1',
  typeorm: '~1.1.0',
  graphql: '^16.15.0',
  'reflect-metadata': '^0.2.2',
};
const GOOD = {
  '@nestjs/core': '12.9.0',
  typeorm: '1.1.4',
  graphql: '16.20.1',
  'reflect-metadata': '0.2.9',
};

function lay(path: string, content: object): void {
  mkdirSync(join(root, path), { recursive: true });
  writeFileSync(join(root, path, 'package.json'), JSON.stringify(content));
}

/** @param versions the packages installed in the `node_modules` of an application or a package */
function install(folder: string, versions: Record<string, string>): void {
  for (const [name, version] of Object.entries(versions)) {
    lay(`${folder}/node_modules/${name}`, { name, version });
  }
}

function faultOf(own = OWN): string {
  lay(own, { peerDependencies: PEERS });
  try {
    refuseOtherPackages(join(root, own), join(root, 'app/src'));
    return 'none';
  } catch (error) {
    return String(error).replaceAll(root, '');
  }
}

describe('the packages that are shared with the application', () => {
  it('are accepted if both have the same ones', () => {
    install('app', GOOD);
    expect(faultOf()).toBe('none');
  });

  it('are accepted if the application has none of its own', () => {
    install('elsewhere', GOOD);
    expect(faultOf(OUTSIDE)).toBe('none');
  });

  it('are accepted if they are links to the same ones', () => {
    install('elsewhere', GOOD);
    const link = join(root, 'app/node_modules/graphql');
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(join(root, 'elsewhere/node_modules/graphql'), link);
    expect(faultOf(OUTSIDE)).toBe('none');
  });

  it.each([
    ['@nestjs/core', '11.1.9', 'doorward needs @nestjs/core ^12.5.1, and finds 11.1.9'],
    ['typeorm', '0.3.27', 'doorward needs typeorm ~1.1.0, and finds 0.3.27'],
    ['graphql', '17.0.0', 'doorward needs graphql ^16.15.0, and finds 17.0.0'],
    ['reflect-metadata', '0.1.14', 'doorward needs reflect-metadata ^0.2.2, and finds 0.1.14'],
  ])('are refused if both have a wrong major version: %s %s', (name, version, sentence) => {
    install('app', { ...GOOD, [name]: version });
    const place = `/app/node_modules/${name}`;
    const range = PEERS[name as keyof typeof PEERS];
    expect(faultOf()).toBe(`StartupError: ${sentence} in ${place}: npm install "${name}@${range}"`);
  });

  it('are refused if the application has a different major version from ours', () => {
    install('app', { ...GOOD, '@nestjs/core': '11.1.9' });
    install(OWN, { '@nestjs/core': '12.5.1' });
    expect(faultOf()).toBe(
      'StartupError: doorward needs @nestjs/core ^12.5.1, and the application in /app/src has 11.1.9 in /app/node_modules/@nestjs/core: npm install "@nestjs/core@^12.5.1"',
    );
  });

  it('are refused if there are two copies, even of the same version', () => {
    install('app', GOOD);
    install(OWN, { typeorm: '1.1.4' });
    expect(faultOf()).toBe(
      'StartupError: There are two copies of typeorm, which do not work together: the application\'s 1.1.4 in /app/node_modules/typeorm, doorward\'s 1.1.4 in /app/node_modules/doorward/node_modules/typeorm. Use one for both: npm dedupe, or npm install "typeorm@~1.1.0"',
    );
  });

  it('may be two copies if that is harmless', () => {
    install('app', GOOD);
    install(OWN, { 'reflect-metadata': '0.2.2' });
    expect(faultOf()).toBe('none');
  });

  it('are refused if one is missing', () => {
    install('app', { ...GOOD, graphql: undefined as unknown as string });
    expect(faultOf()).toBe(
      'StartupError: doorward needs graphql, which is not installed: npm install "graphql@^16.15.0"',
    );
  });
});
