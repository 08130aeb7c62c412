import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CommandFault } from '../common/command';
import type { Difference } from './compare-schema';
import { indexSource, migrationSource } from './migration-source';

interface MigrationFile {
  readonly file: string;
  readonly className: string;
}

/** A class that an index imports. */
interface Listed {
  readonly module: string;
  readonly className: string;
}

const FILE = /^\d{13}-.+\.ts$/;
const GENERATED_MODULE = /^\.\/\d{13}-/;
const IMPORT = /^import \{ *(\w+(?: *, *\w+)*),? *\} from ['"]([^'"]+)['"];?$/;
/** What an index consists of, however it is formatted. */
const INDEX_LINES = [
  /^\s*$/,
  /^\s*\/\//,
  /^import type \{ MigrationInterface \} from ['"]typeorm['"];?$/,
  IMPORT,
  /^export const migrations\b[^=]*(?:=>[^=]*)?= *\[[\w\s,]*(?:\];?)?$/,
  /^[\w\s,]+$/,
  /^\];?$/,
];
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
   * @param registered the names of all migrations of the modules
   * @throws CommandFault where a migration in the folder is not among them: its changes would be generated again
   */
  async refuseUnlisted(registered: readonly string[]): Promise<void> {
    const stray = (await this.files()).find(({ className }) => !registered.includes(className));
    if (stray === undefined) return;
    throw new CommandFault(
      `${join(this.path, stray.file)} is not among the migrations of the modules: build first, and list the folder's migrations in the module, with provideSchema({ migrations }).`,
    );
  }

  /**
   * Writes a migration, and lists it in the index.
   * @param registered the names of all existing migrations; the new one is ordered after them
   * @returns the path of the file
   */
  async add(name: string, difference: Difference, registered: readonly string[]): Promise<string> {
    const latest = Math.max(0, ...registered.map(stampOf));
    const stamp = Math.max(Date.now(), latest + 1);
    const kebab = name.replace(/(?!^)[A-Z]/g, '-$&').toLowerCase();
    const path = join(this.path, `${stamp}-${kebab}.ts`);
    await mkdir(this.path, { recursive: true });
    const added = await this.addedByHand();
    await writeFile(path, migrationSource(`${name}${stamp}`, difference));
    await this.writeIndex(added);
    return path;
  }

  /**
   * What somebody has added to the index: classes of other files than those of this folder's migrations.
   * @throws CommandFault where they have written it in another way
   */
  private async addedByHand(): Promise<Listed[]> {
    const path = join(this.path, 'index.ts');
    const source = await readFile(path, 'utf8').catch(() => '');
    const lines = source.replaceAll(/\/\*[^]*?\*\//g, '').split(/\r?\n/);
    const strange = lines.find((line) => !INDEX_LINES.some((each) => each.test(line)));
    if (strange !== undefined) {
      throw new CommandFault(
        `${path} has a line that migration:generate does not understand: ${strange.trim()}. Import each migration by a line like import { AddBins1764000000000 } from './1764000000000-add-bins'; and list it.`,
      );
    }
    return lines.flatMap((line) => {
      const [, names = '', module = ''] = IMPORT.exec(line) ?? [];
      const classes = GENERATED_MODULE.test(module)
        ? []
        : names.split(',').map((name) => name.trim());
      return classes.filter(Boolean).map((className) => ({ className, module }));
    });
  }

  private async writeIndex(added: readonly Listed[]): Promise<void> {
    const ending = this.isEsm ? '.js' : '';
    const files = (await this.files()).map(({ file, className }) => ({
      module: `./${file.slice(0, -'.ts'.length)}${ending}`,
      className,
    }));
    await writeFile(
      join(this.path, 'index.ts'),
      indexSource([...added, ...files].toSorted(byStamp)),
    );
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

/** The timestamp at the end of a migration's name, by which migrations are ordered; 0 without one. */
export const stampOf = (className: string): number => Number(className.slice(-STAMP_LENGTH)) || 0;

const byStamp = (one: Listed, other: Listed): number =>
  stampOf(one.className) - stampOf(other.className);
