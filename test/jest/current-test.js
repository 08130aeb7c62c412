/**
 * What jest-circus gets in the place of AsyncLocalStorage, by which it knows whose a lost rejection is: with that Node
 * follows every promise of a run, for a tenth of its time. Tests of a file run one after another, so the one that is
 * running will do.
 */
module.exports = class CurrentTest {
  getStore() {
    return this.current;
  }

  run(current, work) {
    const before = this.current;
    this.current = current;
    const end = () => {
      this.current = before;
    };
    const done = work();
    done.then(end, end);
    return done;
  }
};
