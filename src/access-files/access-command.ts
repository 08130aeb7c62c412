import { CommandFault, parseCommand } from '../common/command';

export const USAGE = `Usage:
  doorward access export FILE          writes the roles, policies and rules of the database
  doorward access diff FILE            shows the differences between the file and the database
  doorward access apply FILE           dry run: applies the file, shows the changes, and rolls them back
  doorward access apply FILE --yes     makes the database match the file
Options:
  --prune   diff, apply: what the file lacks counts as a difference, and apply deletes it
  --json    diff, apply: prints JSON, for programs
The database is the one that the environment names (DATABASE_URL, DATA_DIR), as for the service.
Exit code: 0 no difference, or applied; 2 a difference; 1 a fault, and nothing was changed.`;

export interface AccessCommand {
  readonly verb: 'export' | 'diff' | 'apply';
  readonly file: string;
  readonly yes: boolean;
  readonly prune: boolean;
  readonly json: boolean;
}

const FLAG = { type: 'boolean' } as const;
const VERBS = ['export', 'diff', 'apply'] as const;
const FLAGS = { yes: ['apply'], prune: ['diff', 'apply'], json: ['diff', 'apply'] } as const;

/**
 * @param args the words after `doorward access`
 * @throws CommandFault with the usage
 */
export function parseAccessCommand(args: readonly string[]): AccessCommand {
  const { values, positionals } = parseCommand(args, { yes: FLAG, prune: FLAG, json: FLAG }, USAGE);
  const [word, file, ...rest] = positionals;
  const verb = VERBS.find((name) => name === word);
  if (verb === undefined) throw new CommandFault(`${unknown(word)}\n${USAGE}`);
  if (file === undefined || rest.length > 0) {
    throw new CommandFault(`access ${verb} takes one file.\n${USAGE}`);
  }
  for (const [name, verbs] of Object.entries(FLAGS)) {
    if (Object.hasOwn(values, name) && !(verbs as readonly string[]).includes(verb)) {
      throw new CommandFault(`--${name} does not belong to ${verb}.\n${USAGE}`);
    }
  }
  const { yes = false, prune = false, json = false } = values;
  return { verb, file, yes, prune, json };
}

const unknown = (word: string | undefined): string =>
  word === undefined
    ? 'Say which command: export, diff or apply.'
    : `There is no command access ${word}.`;
