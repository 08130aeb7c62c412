import { USAGE as ACCESS } from '../access-files';
import { USAGE as MIGRATION } from '../migration-tools';
import { USAGE as TYPES } from '../sdk-types';
import { requestedHelp, noCommand } from './command-help';

const ALL = [ACCESS, MIGRATION, TYPES].join('\n\n');

describe('the usage', () => {
  it.each([
    [['help'], ALL],
    [['--help'], ALL],
    [['-h'], ALL],
    [['help', 'access'], ACCESS],
    [['access', '--help'], ACCESS],
    [['access', 'diff', 'rules.yaml', '-h'], ACCESS],
    [['migration:run', '--help'], MIGRATION],
    [['types', '--help'], TYPES],
    [['bogus', '--help'], ALL],
  ])('is requested by %j', (words, usage) => {
    expect(requestedHelp(words)).toBe(usage);
  });

  it.each([[[]], [['access', 'diff', 'help']], [['access', 'diff', '--', '--help']], [['bogus']]])(
    'is not requested by %j',
    (words) => {
      expect(requestedHelp(words)).toBeUndefined();
    },
  );

  it('follows the fault of a command', () => {
    expect(noCommand('bogus').message).toBe(`There is no command bogus.\n${ALL}`);
    expect(noCommand().message).toBe(`Say which command.\n${ALL}`);
  });
});
