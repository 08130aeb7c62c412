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

class Derived extends Wrong {}

describe('In addition to the hooks of a class', () => {
  it('other methods are allowed', () => {
    expect(misspeltHooks(new Right())).toEqual([]);
  });

  it.each([
    ['Wrong', new Wrong()],
    ['Derived', new Derived()],
  ])(
    'a method that looks like a hook is named in the log, with the hook that may be meant: %s',
    (name, hooks) => {
      expect(misspeltHooks(hooks)).toEqual([
        `${name}.beforeUpdates is not a hook, so no write calls it: did you mean beforeUpdate?`,
        expect.stringMatching(
          new RegExp(
            `^${name}\\.afterSave is not a hook, so no write calls it: the hooks are required, .*, afterCommit\\.$`,
          ),
        ),
      ]);
    },
  );
});
