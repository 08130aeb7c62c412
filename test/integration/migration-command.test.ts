import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type LastingStorage, makeLastingStorage, runProgramIn } from '../support';

/** Each test starts a team's package and runs its commands, on a busy machine. */
jest.setTimeout(900_000);

const ROOT = join(__dirname, '../..');
const MANIFEST = {
  name: 'team',
  doorward: { modules: 'doorward.modules.js', migrations: 'migrations' },
};
const MODULES = `
const { InvoicingModule } = require('./invoicing.module');
module.exports = { modules: [InvoicingModule] };`;
const MAIN = `
import { start } from 'doorward';
import { InvoicingModule } from './invoicing.module';
void start([InvoicingModule]);`;

/** The team's only file, before and after a change. */
const invoicing = (fields: string): string => `
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Module } from '@nestjs/common';
import { Collection, CollectionsModule, Field, provideSchema } from 'doorward';

@Collection('customers')
class Customer {
  @Field.key('uuid') id!: string;
  @Field.text({ length: 80, unique: true }) name!: string;
}

@Collection('invoices')
class Invoice {
  @Field.key('integer') id!: number;
  @Field.toOne(() => Customer, { onDelete: 'CASCADE' }) customer!: string;
  @Field.toOne('service_users', { nullable: true, onDelete: 'SET NULL' }) clerk!: string | null;
  @Field.manyToMany(() => Customer) copies!: string[];
  ${fields}
}

const migrations = existsSync(join(__dirname, 'migrations'))
  ? require('./migrations').migrations
  : [];

@Module({
  imports: [CollectionsModule.forFeature([Customer, Invoice])],
  providers: [provideSchema({ migrations })],
})
export class InvoicingModule {}`;

let folder: string;
let env: Record<string, string>;
let own: LastingStorage;

const write = (name: string, text: string): void => writeFileSync(join(folder, name), text);

async function runs(
  file: string,
  ...args: string[]
): Promise<{ readonly code: unknown; readonly output: string }> {
  const program = runProgramIn(folder, file, env, ...args);
  return { code: await program.ends(), output: program.output() };
}

const command = (...args: string[]): ReturnType<typeof runs> =>
  runs(join(ROOT, 'src/cli.ts'), ...args);

const generated = (): string[] =>
  readdirSync(join(folder, 'migrations')).filter((name) => name !== 'index.ts');

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'doorward-migrations-'));
  mkdirSync(join(folder, 'node_modules'));
  symlinkSync(ROOT, join(folder, 'node_modules/doorward'));
  for (const name of ['@nestjs', 'typeorm']) {
    symlinkSync(join(ROOT, 'node_modules', name), join(folder, 'node_modules', name));
  }
  write('package.json', JSON.stringify(MANIFEST));
  write('doorward.modules.js', MODULES);
  write('main.ts', MAIN);
  own = await makeLastingStorage();
  env = {
    ...{ SECRET: 'Qm7vT2xLw9ZkRb4sYc1NfHj6PdGe8AuX', HOST: '127.0.0.1', PORT: '0' },
    ...{ ADMIN_EMAIL: 'admin@example.com', ADMIN_PASSWORD: 'correct-horse-battery', ...own.env },
  };
});

afterAll(async () => {
  await own.drop();
  rmSync(folder, { recursive: true, force: true });
});

it('a missing table prevents the start; its migration is written, run, and reverted', async () => {
  write('invoicing.module.ts', invoicing(`@Field.text() note!: string;`));
  const refused = await runs(join(folder, 'main.ts'));
  expect(refused.code).toBe(1);
  expect(refused.output.trim().split('\n').at(-1)).toBe(
    'The database lacks the table customers, the table invoices and the table invoices_copies. Run `doorward migration:generate NAME`, which writes what is missing, and see that the module lists its migrations in provideSchema; in the clone only run `npm run migration:generate -- NAME`.',
  );
  expect(refused.output).not.toMatch(/\n\s+at /);

  const first = await command('migration:generate', 'AddInvoices');
  expect(first).toMatchObject({
    code: 0,
    output: expect.stringMatching(/^Wrote .*add-invoices\.ts/),
  });
  const [file = ''] = generated();
  expect(file).toMatch(/^\d{13}-add-invoices\.ts$/);
  const text = readFileSync(join(folder, 'migrations', file), 'utf8');
  expect(text).toContain('CONSTRAINT "fk_invoices_customer"');
  expect(text).toContain('CREATE INDEX "ix_invoices_clerk"');
  expect(text).not.toContain('Check this');
  const again = await command('migration:generate', 'AddInvoices');
  expect(again.output).toContain('there is nothing to write');

  const status = await command('migration:status');
  expect(status).toMatchObject({
    code: 2,
    output: expect.stringMatching(/pending {2}AddInvoices/),
  });
  const run = await command('migration:run');
  expect(run).toMatchObject({ code: 0, output: expect.stringMatching(/Ran AddInvoices\d{13}\n$/) });
  const embedded = `This is the embedded database in ${join(own.env.DATA_DIR, 'pg')}: `;
  expect(run.output.includes(embedded)).toBe(own.env.DATABASE_URL === undefined);
  // A start marks tables and columns in their comments.
  const started = runProgramIn(folder, join(folder, 'main.ts'), env);
  await started.prints(/listens on/);
  started.child.kill('SIGTERM');
  expect(await started.ends()).toBe(0);
  const compared = await command('migration:generate', 'Nothing', '--from', 'database');
  expect(compared.output).toContain('there is nothing to write');
});

it('a missing column prevents the start as well', async () => {
  write(
    'invoicing.module.ts',
    invoicing(`
  @Field.boolean({ default: false }) paid!: boolean;
  @Field.integer({ nullable: true }) sum!: number | null;`),
  );
  const refused = await runs(join(folder, 'main.ts'));
  expect(refused).toMatchObject({
    code: 1,
    output: expect.stringMatching(
      /^The database lacks the column invoices\.paid and the column invoices\.sum\. Run/m,
    ),
  });
  expect((await command('migration:generate', 'AddPaid')).output).toContain('Check it first');
  const [, file = ''] = generated();
  expect(readFileSync(join(folder, 'migrations', file), 'utf8')).toContain(
    '// Check this: what is stored there is lost.\n    await runner.query(`ALTER TABLE "invoices" DROP COLUMN "note"`);',
  );
  expect((await command('migration:run')).output).toMatch(/^Ran AddPaid\d{13}\n$/m);
  expect((await command('migration:revert')).output).toMatch(/^Reverted AddPaid\d{13}\n$/m);
  expect((await command('migration:revert')).output).toMatch(/^Reverted AddInvoices\d{13}\n$/m);
  expect(await command('migration:revert')).toMatchObject({
    code: 0,
    output: expect.stringContaining('No migration of your modules has run.'),
  });
});

it('an impossible command is refused in one sentence', async () => {
  write('package.json', JSON.stringify({ doorward: { modules: 'dist/gone.js' } }));
  expect(await command('migration:status')).toEqual({
    code: 1,
    output: 'dist/gone.js is not there. Build first.\n',
  });
  write('package.json', JSON.stringify({ doorward: true }));
  expect((await command('migration:run')).output).toMatch(/^package\.json does not say where/);
  write('package.json', '{}');
  expect((await command('migration:generate', 'Some')).output).toMatch(
    /^package\.json does not name your modules/,
  );
  expect((await command('migration:generate', 'some thing')).output).toBe(
    'Give the migration one name, such as AddInvoices.\n',
  );
});
