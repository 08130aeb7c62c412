import { USAGE as ACCESS } from '../access-files';
import { CommandFault } from '../common/command';
import { USAGE as MIGRATION } from '../migration-tools';
import { USAGE as TYPES } from '../sdk-types';

const ALL = [ACCESS, MIGRATION, TYPES].join('\n\n');

/** @returns the usage, if the words ask for it: of the command that they begin with, or of all commands */
export function requestedHelp([word = '', ...args]: readonly string[]): string | undefined {
  if (['help', '--help', '-h'].includes(word)) return usageOf(args[0] ?? '');
  const end = args.indexOf('--');
  const options = end === -1 ? args : args.slice(0, end);
  return options.includes('--help') || options.includes('-h') ? usageOf(word) : undefined;
}

/** For an unknown command. */
export const noCommand = (word = ''): CommandFault =>
  new CommandFault(
    `${word === '' ? 'Say which command.' : `There is no command ${word}.`}\n${ALL}`,
  );

function usageOf(word: string): string {
  if (word === 'access') return ACCESS;
  if (word === 'types') return TYPES;
  return word.startsWith('migration') ? MIGRATION : ALL;
}
