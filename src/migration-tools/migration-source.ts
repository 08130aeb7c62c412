import type { Difference } from './compare-schema';

/** Comments for statements that may lose data, or that existing data may refuse. */
const WARNINGS: readonly (readonly [RegExp, string])[] = [
  [/\bDROP (COLUMN|TABLE)\b/, 'Check this: what is stored there is lost.'],
  [/\bRENAME COLUMN\b/, 'Check this: is it the same under another name, or something else?'],
  [
    /\bADD "[^"]+" (?!.*\b(DEFAULT|IDENTITY)\b).*\bNOT NULL\b/,
    'Check this: it fails where there are rows, unless a default is given.',
  ],
  [/\bSET NOT NULL\b/, 'Check this: it fails where a row has no value.'],
];

const DROPPED = /^DROP INDEX (?:"[^"]+"\.)?("[^"]+")|^ALTER TABLE .* DROP CONSTRAINT ("[^"]+")/;
const MADE = /^CREATE (?:UNIQUE )?INDEX ("[^"]+")|^ALTER TABLE .* ADD CONSTRAINT ("[^"]+")/;
const UNDECLARED = 'Check this: no entity declares it, even if another migration made it by hand.';

const RISKY = 'Check this: it fails where a value does not fit the new type, or rounds it.';

export function warningOf(sql: string, { up, risky }: Difference): string | undefined {
  if (risky.has(sql)) return RISKY;
  const dropped = nameIn(DROPPED, sql);
  if (dropped !== undefined && up.every((each) => nameIn(MADE, each) !== dropped)) {
    return UNDECLARED;
  }
  return WARNINGS.find(([pattern]) => pattern.test(sql))?.[1];
}

/** The name of an index or constraint. */
function nameIn(pattern: RegExp, sql: string): string | undefined {
  const [, index, constraint] = pattern.exec(sql) ?? [];
  return index ?? constraint;
}

/** The text of a file with one migration. */
export const migrationSource = (className: string, difference: Difference): string =>
  `import type { MigrationInterface, QueryRunner } from 'typeorm';

export class ${className} implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
${difference.up.map((sql) => commented(sql, difference) + statement(sql)).join('\n')}
  }

  async down(runner: QueryRunner): Promise<void> {
${difference.down.map(statement).join('\n')}
  }
}
`;

/** The text of the index: the list of migrations, in the order in which they run. */
export const indexSource = (
  files: readonly { readonly module: string; readonly className: string }[],
): string => `import type { MigrationInterface } from 'typeorm';
${files.map(({ module, className }) => `import { ${className} } from '${module}';`).join('\n')}

/** In the order in which they run. \`migration:generate\` adds to it. */
export const migrations: (new () => MigrationInterface)[] = [
${files.map(({ className }) => `  ${className},`).join('\n')}
];
`;

const commented = (sql: string, difference: Difference): string => {
  const warning = warningOf(sql, difference);
  return warning === undefined ? '' : `    // ${warning}\n`;
};

const statement = (sql: string): string => `    await runner.query(${literal(sql)});`;

const literal = (sql: string): string =>
  `\`${sql.replaceAll('\\', '\\\\').replaceAll('`', '\\`').replaceAll('${', '\\${')}\``;
