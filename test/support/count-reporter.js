/** Ends every run with one line that a person and a script can read: `N passed, N failed`. */
module.exports = class CountReporter {
  onRunComplete(_contexts, results) {
    // A file that does not even load has no tests to count: it counts as one failure.
    const failed = results.numFailedTests + results.numRuntimeErrorTestSuites;
    // On exit, so that it comes after jest's own summary.
    process.once('exit', () => {
      process.stdout.write(`\n${results.numPassedTests} passed, ${failed} failed\n`);
    });
  }
};
