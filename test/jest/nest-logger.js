const LEVELS = ['log', 'error', 'warn', 'debug', 'verbose', 'fatal'];
let first;

/** Nest has one logger for a process. A file begins with that which the process began with, whatever the last one chose. */
function resetLogger() {
  const { Logger } = require('@nestjs/common');
  first ??= {
    instance: Logger.staticInstanceRef,
    options: { ...Logger.staticInstanceRef.options },
  };
  Logger.staticInstanceRef = first.instance;
  first.instance.options = { ...first.options };
  // Said, not left out: loggers of modules that are kept take over only what is said.
  Logger.logLevels = [...LEVELS];
  Logger.isBufferAttached = undefined;
  Logger.logBuffer = [];
}

module.exports = { resetLogger };
