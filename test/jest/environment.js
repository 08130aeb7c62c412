const { ModernFakeTimers } = require('@jest/fake-timers');
const { ModuleMocker } = require('jest-mock');

/** The worker's own context. Changes that a file makes to it are undone when the file ends. */
module.exports = class Environment {
  global = globalThis;
  moduleMocker = new ModuleMocker(globalThis);

  constructor({ projectConfig }) {
    this.fakeTimersModern = new ModernFakeTimers({ config: projectConfig, global: globalThis });
    this.conditions = projectConfig.testEnvironmentOptions.customExportConditions;
    this.undo = [globals(), environment(), listeners(process)];
  }

  exportConditions() {
    return this.conditions;
  }

  getVmContext() {
    return globalThis;
  }

  async setup() {}

  async teardown() {
    this.fakeTimersModern.dispose();
    for (const undo of this.undo) undo();
  }
};

/** Globals of jest-circus and expect, which each file gets anew. */
const OF_JEST = new Set([
  'EVENT_HANDLERS',
  'TEST_TIMEOUT_SYMBOL',
  'RETRY_TIMES',
  'RETRY_TIMES_SETTER',
  'RETRY_IMMEDIATELY',
  'WAIT_BEFORE_RETRY',
  'LOG_ERRORS_BEFORE_RETRY',
]);

const isOfJest = (key) => {
  if (typeof key !== 'symbol') return false;
  const name = Symbol.keyFor(key);
  return name === undefined ? key.description === 'JEST_STATE_SYMBOL' : OF_JEST.has(name);
};

/** Globals that packages add are kept, since packages are loaded only once. */
function globals() {
  const before = new Map(
    Reflect.ownKeys(globalThis).map((key) => [
      key,
      Object.getOwnPropertyDescriptor(globalThis, key),
    ]),
  );
  const exit = Object.getOwnPropertyDescriptor(process, 'exit');
  return () => {
    Object.defineProperty(process, 'exit', exit);
    for (const key of Reflect.ownKeys(globalThis)) if (isOfJest(key)) delete globalThis[key];
    for (const [key, was] of before) {
      const is = Object.getOwnPropertyDescriptor(globalThis, key);
      if (is?.value !== was.value || is?.get !== was.get)
        Object.defineProperty(globalThis, key, was);
    }
  };
}

function environment() {
  const before = { ...process.env };
  return () => {
    for (const name of Object.keys(process.env)) if (!(name in before)) delete process.env[name];
    Object.assign(process.env, before);
  };
}

function listeners(emitter) {
  const before = new Map(
    emitter.eventNames().map((name) => [name, new Set(emitter.rawListeners(name))]),
  );
  return () => {
    for (const name of emitter.eventNames()) {
      for (const listener of emitter.rawListeners(name)) {
        if (!before.get(name)?.has(listener)) emitter.removeListener(name, listener);
      }
    }
  };
}
