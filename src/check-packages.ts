import { realpathSync } from 'node:fs';
import { dirname, sep } from 'node:path';
import { packageFolder } from './common/package-folder';
import { refuseOtherPackages } from './config/peer-packages';
import { StartupError } from './config/startup-error';

/* Must be imported first: it reports a second copy of Nest before either copy loads. */
check();

function check(): void {
  // Plug'n'Play installs no folders to look into, and refuses by itself what does not fit.
  if (process.versions['pnp'] !== undefined) return;
  try {
    refuseOtherPackages(packageFolder(), applicationFolder());
  } catch (error) {
    // It is for whoever installed the packages, and not for who reads our code.
    if (error instanceof StartupError) error.stack = error.message;
    throw error;
  }
}

/** That of the program; of a tool that was installed (ours, or what runs tests), the folder that it was called in. */
function applicationFolder(): string {
  try {
    const program = realpathSync(process.argv[1] ?? '');
    if (!program.includes(`${sep}node_modules${sep}`)) return dirname(program);
  } catch {
    // There is none, as in a console.
  }
  return process.cwd();
}
