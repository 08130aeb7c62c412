import { configOf } from './app-config.spec-support';

describe('the log', () => {
  it.each([
    ['info', 'log'],
    ['trace', 'verbose'],
    ['WARN', 'warn'],
  ])('with LOG_LEVEL=%s has the level %s', (word, level) => {
    expect(configOf({ LOG_LEVEL: word }).log.level).toBe(level);
  });
});
