const LEVELS = ['log', 'error', 'warn', 'debug', 'verbose', 'fatal'];
let first;

/** Nest has one logger for a process. Each file begins with the original one, whatever the previous file set. */
function resetLogger() {
  const { Logger } = require('@nestjs/common');
  first ??= {
    instance: Logger.staticInstanceRef,
    options: { ...Logger.staticInstanceRef.options },
  };
  Logger.staticInstanceRef = first.instance;
  first.instance.options = { ...first.options };
  // Set explicitly, since the loggers of kept modules take over only explicit levels.
  Logger.logLevels = [...LEVELS];
  Logger.isBufferAttached = undefined;
  Logger.logBuffer = [];
}

module.exports = { resetLogger };
