import type { CollectionHooks } from '../repository/hooks';
import type { Payload } from '../repository/write-context';
import { misspeltHooks } from './check-hooks';

class Right implements CollectionHooks {
  beforeCreate(payload: Payload): Payload {
    return payload;
  }

  noteStored(): void {}

  prepared(): void {}
}

class Wrong extends Right {
  beforeUpdates(): void {}

  afterSave(): void {}
}

describe('In addition to the hooks of a class', () => {
  it('other methods are allowed', () => {
    expect(misspeltHooks(new Right())).toEqual([]);
  });

  it('a method that looks like a hook is named in the log, with the hook that may be meant', () => {
    expect(misspeltHooks(new Wrong())).toEqual([
      'Wrong.beforeUpdates is not a hook, so no write calls it: did you mean beforeUpdate?',
      expect.stringMatching(
        /^Wrong\.afterSave is not a hook, so no write calls it: the hooks are required, .*, afterCommit\.$/,
      ),
    ]);
  });
});
