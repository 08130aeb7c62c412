import { execFileSync } from 'node:child_process';
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { Workplace } from './workplace';

/** A team's application in a separate folder. */
export class Consumer extends Workplace {
  /** @param source the folder that is copied there */
  constructor(folder: string, source: string, manifest: object = {}) {
    super(folder);
    cpSync(source, folder, { recursive: true });
    const described = { name: 'invoicing', version: '1.0.0', private: true, ...manifest };
    this.write('package.json', JSON.stringify(described));
  }

  /** @param packages arguments for npm, which also installs their peer dependencies */
  install(...packages: readonly string[]): void {
    const options = ['--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error'];
    execFileSync('npm', ['install', ...options, ...packages], {
      cwd: this.folder,
      stdio: 'inherit',
    });
  }

  /** Pretends that another version of a package is installed. */
  pretend(name: string, version: string): void {
    const file = join('node_modules', name, 'package.json');
    const described = JSON.parse(this.read(file)) as object;
    this.write(file, JSON.stringify({ ...described, version }));
  }
}
