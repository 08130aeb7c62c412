const { default: Sequencer } = require('@jest/test-sequencer');

/** What takes longest, where no run before this one has told: begun last, it would keep one worker and leave the others idle. */
const LONGEST =
  /test\/(fuzz\/|model\/|e2e\/console\/|e2e\/wrong-values|integration\/migration-|security\/60-cache-bounds|security\/items\/10-hidden-collections)/;

module.exports = class LongestFirst extends Sequencer {
  sort(tests) {
    const sorted = super.sort(tests);
    const isLong = ({ path, duration }) => duration === undefined && LONGEST.test(path);
    return [...sorted.filter(isLong), ...sorted.filter((test) => !isLong(test))];
  }
};
