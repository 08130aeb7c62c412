import { CommandFault, parseCommand } from '../common/command';

export const USAGE = `Usage:
  doorward migration:generate NAME     writes a migration for what your entities have and the migrations lack
                                       NAME says what it does: AddInvoices
  doorward migration:run               runs the migrations that have not run yet; a start does this too
  doorward migration:revert            reverts the last migration of your modules
  doorward migration:status            lists the migrations, and which have run; exit code 2 if one has not
Options:
  --from database    generate: compares the entities with the database, not with a replay of the migrations in memory
  --extension NAME   generate: only for extensions/NAME
  --service          revert: reverts the last migration of the service itself
package.json names the file that exports your modules, and the folder of your migrations:
  "doorward": { "modules": "dist/doorward.modules.js", "migrations": "src/migrations" }
The database is the one that the environment names (DATABASE_URL, DATA_DIR), as for the service.`;

export type MigrationCommand =
  | {
      readonly verb: 'generate';
      /** Capitalized like a class: `AddInvoices`. */
      readonly name: string;
      readonly fromDatabase: boolean;
      readonly extension: string | undefined;
    }
  | { readonly verb: 'run' | 'status' }
  | { readonly verb: 'revert'; readonly service: boolean };

const OPTIONS = {
  from: { type: 'string' },
  extension: { type: 'string' },
  service: { type: 'boolean' },
} as const;
const OPTIONS_OF_VERB = {
  generate: ['from', 'extension'],
  revert: ['service'],
  run: [],
  status: [],
} as const;
const NAME = /^[A-Z][A-Za-z0-9]*$/;

/**
 * @param word the first word of the command line: `migration:run`
 * @throws CommandFault with the usage
 */
export function parseMigrationCommand(word: string, args: readonly string[]): MigrationCommand {
  const verb = (Object.keys(OPTIONS_OF_VERB) as (keyof typeof OPTIONS_OF_VERB)[]).find(
    (each) => word === `migration:${each}`,
  );
  if (verb === undefined) throw new CommandFault(`There is no command ${word}.\n${USAGE}`);
  const { values, positionals } = parseCommand(args, OPTIONS, USAGE);
  const stray = Object.keys(values).find(
    (name) => !OPTIONS_OF_VERB[verb].some((each) => each === name),
  );
  if (stray !== undefined)
    throw new CommandFault(`--${stray} does not belong to ${verb}.\n${USAGE}`);
  const [name, ...rest] = positionals;
  if (verb === 'generate') return generation(name, rest, values);
  if (name !== undefined) throw new CommandFault(`${word} takes no name.\n${USAGE}`);
  return verb === 'revert' ? { verb, service: values.service === true } : { verb };
}

function generation(
  name: string | undefined,
  rest: readonly string[],
  { from, extension }: { readonly from?: string; readonly extension?: string },
): MigrationCommand {
  if (name === undefined || rest.length > 0 || !NAME.test(name)) {
    throw new CommandFault('Give the migration one name, such as AddInvoices.');
  }
  if (from !== undefined && from !== 'database') {
    throw new CommandFault(`--from can only be followed by database, not by ${from}.`);
  }
  return { verb: 'generate', name, fromDatabase: from !== undefined, extension };
}
