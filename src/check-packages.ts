import { realpathSync } from 'node:fs';
import { dirname, sep } from 'node:path';
import { packageFolder } from './common/package-folder';
import { refuseOtherPackages } from './config/peer-packages';
import { StartupError } from './config/startup-error';

/* Must be imported first: it reports a second copy of Nest before either copy loads. */
check();

function check(): void {
  // Plug'n'Play has no folders to look into, and itself refuses packages that do not fit.
  if (process.versions['pnp'] !== undefined) return;
  try {
    refuseOtherPackages(packageFolder(), applicationFolder());
  } catch (error) {
    // For the person who installed the packages, to whom our stack says nothing.
    if (error instanceof StartupError) error.stack = error.message;
    throw error;
  }
}

/** The folder of the program; for an installed tool (ours, or a test runner), the folder in which it was called. */
function applicationFolder(): string {
  try {
    const program = realpathSync(process.argv[1] ?? '');
    if (!program.includes(`${sep}node_modules${sep}`)) return dirname(program);
  } catch {
    // There is no program, for example in a console.
  }
  return process.cwd();
}
