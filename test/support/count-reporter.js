const { writeFileSync } = require('node:fs');

/**
 * Ends every run with one line that a person and a script can read: `N passed, N failed`. Where FAILED_FILES names a file,
 * the paths of the test files that failed are written there, one on a line.
 */
module.exports = class CountReporter {
  onRunComplete(_contexts, results) {
    // A file that does not even load has no tests to count: it counts as one failure.
    const failed = results.numFailedTests + results.numRuntimeErrorTestSuites;
    // On exit, so that it comes after jest's own summary.
    process.once('exit', () => {
      process.stdout.write(`\n${results.numPassedTests} passed, ${failed} failed\n`);
    });
    if (process.env.FAILED_FILES) writeFileSync(process.env.FAILED_FILES, listOf(results));
  }
};

const listOf = ({ testResults }) =>
  testResults
    .filter((file) => file.numFailingTests > 0 || file.testExecError || file.failureMessage)
    .map((file) => `${file.testFilePath}\n`)
    .join('');
