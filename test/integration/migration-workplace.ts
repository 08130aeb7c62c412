import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type DynamicModule, Module, type Type } from '@nestjs/common';
import { CollectionsModule, provideSchema } from 'doorward';
import type { MigrationInterface } from 'typeorm';
import { migrationCli } from '../../src/commands/migration-command-line';
import type { Project } from '../../src/commands/team-project';
import { AppConfig } from '../../src/config/app-config';
import { createDataSource } from '../../src/database/data-source';
import { parseMigrationCommand } from '../../src/migration-tools';
import { makeLastingStorage } from '../support';

@Module({})
class Empty {}

/** A module with these entities, and the migrations that were written for it. */
function bringing(
  entities: Parameters<typeof CollectionsModule.forFeature>[0],
  folder: string,
  copies: string,
): DynamicModule {
  const migrations = listedIn(folder, copies);
  return {
    module: class extends Empty {},
    imports: [CollectionsModule.forFeature(entities)],
    providers: [provideSchema({ migrations })],
  };
}

/** @param copies a folder for copies of the index: Jest reads each file only once, and the index changes */
function listedIn(folder: string, copies: string): Type<MigrationInterface>[] {
  if (!namesIn(folder).includes('index.ts')) return [];
  let listed: Type<MigrationInterface>[] = [];
  const copy = mkdtempSync(join(copies, 'copy-'));
  cpSync(folder, copy, { recursive: true });
  jest.isolateModules(() => {
    listed = (jest.requireActual(join(copy, 'index.ts')) as { migrations: typeof listed })
      .migrations;
  });
  return listed;
}

/** The files of a folder of migrations; none if there is no such folder. */
export function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).toSorted();
  } catch {
    return [];
  }
}

type Brought = Readonly<Record<string, Parameters<typeof bringing>[0]>>;

interface Workplace {
  /** Runs a command in a package with these entities, listed by the name of their extension. */
  readonly command: (words: string, brought: Brought, of?: Partial<Project>) => Promise<string>;
  readonly onDatabase: (sql: string) => Promise<unknown[]>;
  /** The folder for the migrations of an extension. */
  readonly folder: (extension: string) => string;
}

/** A new database and a folder for migrations, for the tests of a file. */
export function openWorkplace(): Workplace {
  let root: string;
  let stored: Awaited<ReturnType<typeof makeLastingStorage>>;
  beforeAll(async () => {
    root = mkdtempSync(join(tmpdir(), 'doorward-generate-'));
    stored = await makeLastingStorage();
  });
  afterAll(async () => {
    await stored.drop();
    rmSync(root, { recursive: true, force: true });
  });
  const folder = (extension: string): string => join(root, extension);
  return {
    folder,
    command: (words, brought, of = {}) => {
      const extensions = Object.entries(brought).map(([name, entities]) => ({
        ...{ name, migrations: folder(name) },
        modules: [bringing(entities, folder(name), root)],
      }));
      return told(words, configFor(stored.storage), { ...PACKAGE, ...of, root, extensions });
    },
    onDatabase: async (sql) => {
      const schema = { entities: [], migrations: [] };
      const source = await createDataSource(stored.storage, schema).initialize();
      return source.query<unknown[]>(sql).finally(() => source.destroy());
    },
  };
}

const PACKAGE = { isClone: false, isEsm: false };

const configFor = (storage: Awaited<ReturnType<typeof makeLastingStorage>>['storage']): AppConfig =>
  new AppConfig({
    SECRET: 'Qm7vT2xLw9ZkRb4sYc1NfHj6PdGe8AuX',
    ...(storage.kind === 'postgres' && { DATABASE_URL: storage.url }),
    ...(storage.kind === 'folder' && { DATA_DIR: join(storage.path, '..') }),
  });

async function told(words: string, config: AppConfig, project: Project): Promise<string> {
  const [word = '', ...args] = words.split(' ');
  const lines: string[] = [];
  const out = (text: string): void => void lines.push(text);
  await migrationCli(config, parseMigrationCommand(word, args), project, {
    ...{ out, err: out, colours: false },
  });
  return lines.join('\n');
}
