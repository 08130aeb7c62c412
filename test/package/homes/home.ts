import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Environment, Running, Workplace } from '../workplace';

type Program = readonly [string, ...string[]];

/** The programs of a home, run in its folder. */
interface Programs {
  readonly build: Program;
  readonly doorward: Program;
  readonly start: Program;
  /** The folder of its migrations. */
  readonly migrations: string;
}

/** The place where a team keeps its modules. */
export class Home {
  constructor(
    private readonly place: Workplace,
    private readonly programs: Programs,
  ) {}

  build(): void {
    this.place.succeed(this.programs.build);
  }

  /** @returns the output of the command */
  doorward(command: readonly string[], environment: Environment): string {
    return this.place.succeed([...this.programs.doorward, ...command], environment);
  }

  start(environment: Environment): Promise<Running> {
    return this.place.start(this.programs.start, environment);
  }

  /** Adds a statement at the end of the only migration, as its author would. */
  addToMigration(sql: string): void {
    const { migrations } = this.programs;
    const files = readdirSync(join(this.place.folder, migrations));
    const file = join(migrations, files.find((name) => name !== 'index.ts') ?? '');
    const [up = '', ...down] = this.place.read(file).split(DOWN);
    this.place.write(file, [`${up}\n    await runner.query(\`${sql}\`);`, ...down].join(DOWN));
  }
}

const DOWN = '\n  }\n\n  async down';
const CLI = 'dist/src/cli.js';

/** A home in `extensions/` of a clone. @param source the folder of the module */
export function homeInClone(clone: Workplace, source: string): Home {
  clone.copy(source, 'extensions/invoicing');
  return new Home(clone, {
    build: ['node', 'node_modules/typescript/bin/tsc', '-b', 'tsconfig.build.json'],
    doorward: ['node', CLI],
    start: ['node', 'dist/src/main.js', 'extensions/invoicing'],
    migrations: 'extensions/invoicing/migrations',
  });
}

/** A home in a separate application. @param packages the folder of the packages that it uses */
export function homeInApplication(app: Workplace, packages: string): Home {
  return new Home(app, {
    build: ['node', join(packages, 'typescript/bin/tsc'), '-p', '.'],
    doorward: ['node', join(packages, 'doorward', CLI)],
    start: ['node', 'dist/main.js'],
    migrations: 'src/migrations',
  });
}
