import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { schemaOfApp } from './app.schema';
import { loadConfig } from './config/app-config';
import { createDataSource } from './database/data-source';
import type { SchemaPart } from './database/schema-part';

const FOLDER = join('src', 'database', 'migrations');

/**
 * `npm run migration:generate -- AddInvoices`: writes the statements that lead from the migrations there are to the
 * entities, and lists the file in the index. Compared in memory, so the database of whoever runs it does not matter.
 */
async function generate(name: string | undefined): Promise<void> {
  if (name === undefined || !/^[A-Z][A-Za-z0-9]+$/.test(name)) {
    throw new Error('Give the migration a name such as AddInvoices');
  }
  const { up, down } = await difference(await schemaOfApp(loadConfig()));
  if (up.length === 0) {
    console.log('The migrations lead to the entities already; there is nothing to write.');
    return;
  }
  const stamp = Date.now();
  const file = `${stamp}-${name.replace(/(?!^)[A-Z]/g, '-$&').toLowerCase()}.ts`;
  await writeFile(join(FOLDER, file), source(`${name}${stamp}`, up, down));
  await writeIndex();
  console.log(`Wrote ${join(FOLDER, file)}`);
}

async function difference(schema: SchemaPart): Promise<{ up: string[]; down: string[] }> {
  const dataSource = await createDataSource({ kind: 'memory' }, schema).initialize();
  try {
    await dataSource.runMigrations();
    const { upQueries, downQueries } = await dataSource.driver.createSchemaBuilder().log();
    const text = ({ query }: { query: string }): string => query;
    return { up: upQueries.map(text), down: downQueries.map(text).toReversed() };
  } finally {
    await dataSource.destroy();
  }
}

function source(className: string, up: string[], down: string[]): string {
  const lines = (statements: string[]): string =>
    statements.map((sql) => `await runner.query(${literal(sql)});`).join('\n');
  return `import type { MigrationInterface, QueryRunner } from 'typeorm';

export class ${className} implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    ${lines(up)}
  }

  async down(runner: QueryRunner): Promise<void> {
    ${lines(down)}
  }
}
`;
}

const literal = (sql: string): string =>
  `\`${sql.replaceAll('\\', '\\\\').replaceAll('`', '\\`').replaceAll('${', '\\${')}\``;

/** The index is the list of the files, in the order of their stamps. */
async function writeIndex(): Promise<void> {
  const files = (await readdir(FOLDER)).filter((file) => /^\d{13}-.+\.ts$/.test(file)).toSorted();
  const classes = await Promise.all(files.map(classIn));
  const imports = files.map(
    (file, index) => `import { ${classes[index]} } from './${file.slice(0, -3)}';`,
  );
  const text = `import type { Type } from '@nestjs/common';
import type { MigrationInterface } from 'typeorm';
${imports.join('\n')}

/** In the order in which they run. \`npm run migration:generate -- Name\` adds to it. */
export const migrations: Type<MigrationInterface>[] = [${classes.join(', ')}];
`;
  await writeFile(join(FOLDER, 'index.ts'), text);
}

async function classIn(file: string): Promise<string> {
  const found = /export class (\w+)/.exec(await readFile(join(FOLDER, file), 'utf8'));
  if (found?.[1] === undefined) throw new Error(`${file} exports no migration`);
  return found[1];
}

generate(process.argv[2]).catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
});
