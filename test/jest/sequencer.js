const { default: Sequencer } = require('@jest/test-sequencer');

/**
 * The slowest files, if no earlier run has recorded times: begun last, they would keep one worker busy and the others
 * idle.
 */
const LONGEST =
  /test\/(fuzz\/|model\/|e2e\/console\/|e2e\/wrong-values|integration\/migration-|security\/60-cache-bounds|security\/items\/10-hidden-collections)/;

module.exports = class LongestFirst extends Sequencer {
  sort(tests) {
    const sorted = super.sort(tests);
    const isLong = ({ path, duration }) => duration === undefined && LONGEST.test(path);
    return [...sorted.filter(isLong), ...sorted.filter((test) => !isLong(test))];
  }
};
