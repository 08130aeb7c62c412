import { AppConfig } from './app-config';

const SECRET = 'q7Jm2vXz9LkP4sRt8WnB3yHc6DfG1aEu0iOo';

describe('the log', () => {
  it.each([
    ['info', 'log'],
    ['trace', 'verbose'],
    ['WARN', 'warn'],
  ])('with LOG_LEVEL=%s has the level %s', (word, level) => {
    expect(new AppConfig({ SECRET, LOG_LEVEL: word }).log.level).toBe(level);
  });
});
