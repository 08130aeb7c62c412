import { parseAccessCommand, USAGE } from './access-command';

const NONE = { yes: false, prune: false, json: false };

describe('a command', () => {
  it.each([
    [['export', 'a.yaml'], { verb: 'export', file: 'a.yaml', ...NONE }],
    [['diff', 'a.yaml', '--json'], { verb: 'diff', file: 'a.yaml', ...NONE, json: true }],
    [['diff', 'a.yaml', '--prune'], { verb: 'diff', file: 'a.yaml', ...NONE, prune: true }],
    [['apply', 'a.yaml'], { verb: 'apply', file: 'a.yaml', ...NONE }],
    [
      ['--prune', 'apply', '--yes', 'a.yaml'],
      { verb: 'apply', file: 'a.yaml', yes: true, prune: true, json: false },
    ],
    [['diff', '--', '--yes'], { verb: 'diff', file: '--yes', ...NONE }],
  ])('%j', (args, command) => {
    expect(parseAccessCommand(args)).toEqual(command);
  });

  it.each([
    [[]],
    [['export']],
    [['import', 'x']],
    [['diff', 'a', 'b']],
    [['diff', 'a', '--yes']],
    [['export', 'a', '--json']],
    [['apply', 'a', '--force']],
    [['apply', 'a', '--yes=no']],
  ])('%j is not a command, and the error names those that exist', (args) => {
    expect(() => parseAccessCommand(args)).toThrow(USAGE);
  });
});
