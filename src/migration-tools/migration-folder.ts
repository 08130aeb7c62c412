import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CommandFault } from '../common/command';
import type { Difference } from './compare-schema';
import { indexSource, migrationSource } from './migration-source';

interface MigrationFile {
  readonly file: string;
  readonly className: string;
}

const FILE = /^\d{13}-.+\.ts$/;
const STAMP_LENGTH = 13;

/** A folder of generated migrations, each a file, and an index that lists them. */
export class MigrationFolder {
  /**
   * @param path absolute
   * @param isEsm whether imports need the extension of the compiled file
   */
  constructor(
    readonly path: string,
    private readonly isEsm: boolean,
  ) {}

  /**
   * @param known the names of all migrations of the modules
   * @throws CommandFault where a migration in the folder is not among them: its changes would be generated again
   */
  async refuseUnlisted(known: readonly string[]): Promise<void> {
    const stray = (await this.files()).find(({ className }) => !known.includes(className));
    if (stray === undefined) return;
    throw new CommandFault(
      `${join(this.path, stray.file)} is not among the migrations of the modules: build first, and list the folder's migrations in the module, with provideSchema({ migrations }).`,
    );
  }

  /**
   * Writes a migration, and lists it in the index.
   * @param known the names of all existing migrations; the new one is ordered after them
   * @returns the path of the file
   */
  async add(name: string, difference: Difference, known: readonly string[]): Promise<string> {
    const latest = Math.max(0, ...known.map(stampOf));
    const stamp = Math.max(Date.now(), latest + 1);
    const kebab = name.replace(/(?!^)[A-Z]/g, '-$&').toLowerCase();
    const path = join(this.path, `${stamp}-${kebab}.ts`);
    await mkdir(this.path, { recursive: true });
    await writeFile(path, migrationSource(`${name}${stamp}`, difference));
    await this.writeIndex();
    return path;
  }

  /** What somebody has added to the index stays there. */
  private async writeIndex(): Promise<void> {
    const ending = this.isEsm ? '.js' : '';
    const files = (await this.files()).map(({ file, className }) => ({
      module: `./${file.slice(0, -'.ts'.length)}${ending}`,
      className,
    }));
    const path = join(this.path, 'index.ts');
    const listed = imported(await readFile(path, 'utf8').catch(() => ''));
    const added = listed.filter(({ className }) =>
      files.every((each) => each.className !== className),
    );
    await writeFile(path, indexSource([...added, ...files].toSorted(byStamp)));
  }

  /** In the order of their timestamps. */
  private async files(): Promise<MigrationFile[]> {
    const names = await readdir(this.path).catch(() => []);
    const files = names.filter((name) => FILE.test(name)).toSorted();
    return Promise.all(files.map(async (file) => ({ file, className: await this.classIn(file) })));
  }

  private async classIn(file: string): Promise<string> {
    const found = /export class (\w+)/.exec(await readFile(join(this.path, file), 'utf8'));
    if (found?.[1] === undefined) throw new CommandFault(`${file} exports no migration.`);
    return found[1];
  }
}

/** The classes that an index imports, other than those of TypeORM. */
function imported(source: string): { module: string; className: string }[] {
  const imports = source.matchAll(/^import \{([^}]+)\} from '(\.[^']*)';/gm);
  return [...imports].flatMap(([, names = '', module = '']) =>
    names.split(',').flatMap((name) => {
      const className = name.trim();
      return className === '' ? [] : { module, className };
    }),
  );
}

const stampOf = (className: string): number => Number(className.slice(-STAMP_LENGTH)) || 0;

const byStamp = (one: { className: string }, other: { className: string }): number =>
  stampOf(one.className) - stampOf(other.className);
