import { AppConfig } from './app-config';
import type { Environment } from './env-reader';

/** The reason why a start is refused; empty if it is not. */
function refusal(env: Environment): string {
  try {
    new AppConfig({ SECRET: 'q7Jm2vXz9LkP4sRt8WnB3yHc6DfG1aEu0iOo', ...env });
    return '';
  } catch (error) {
    return String(error);
  }
}

const direct = { DATABASE_DIRECT_URL: 'postgres://127.0.0.1/doorward' };

describe('a connection that bypasses a pooler', () => {
  it('leads to the database that DATABASE_URL names, so it requires that setting', () => {
    expect(refusal(direct)).toBe(
      'StartupError: The configuration has faults:\n  - DATABASE_DIRECT_URL needs DATABASE_URL: the embedded database has no pooler',
    );
    expect(refusal({ ...direct, DATABASE_URL: 'postgres://pooler/doorward' })).toBe('');
  });

  it('is required if DATABASE_STATEMENT_NAMES indicates a pooler', () => {
    const pooled = {
      DATABASE_URL: 'postgres://pooler/doorward',
      DATABASE_STATEMENT_NAMES: 'false',
    };
    expect(refusal(pooled)).toBe(
      'StartupError: The configuration has faults:\n  - DATABASE_STATEMENT_NAMES false needs DATABASE_DIRECT_URL: notifications from other instances do not arrive through a pooler',
    );
    expect(refusal({ ...pooled, ...direct })).toBe('');
    expect(refusal({ DATABASE_STATEMENT_NAMES: 'false' })).toBe('');
  });

  it('must be a URL of PostgreSQL', () => {
    expect(refusal({ DATABASE_DIRECT_URL: 'http://127.0.0.1' })).toContain(
      '\n  - DATABASE_DIRECT_URL',
    );
  });
});
