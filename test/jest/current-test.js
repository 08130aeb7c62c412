/**
 * Replaces AsyncLocalStorage in jest-circus, which uses it to find the test of an unhandled rejection. With it, Node
 * would follow every promise, which takes a tenth of the time of a run. Tests of a file run one after another, so the
 * current test is good enough.
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
