import { execFileSync } from 'node:child_process';
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { Workplace } from './workplace';

/** An application of a team's, in a folder of its own. */
export class Consumer extends Workplace {
  /** @param source what is copied there */
  constructor(folder: string, source: string, manifest: object = {}) {
    super(folder);
    cpSync(source, folder, { recursive: true });
    const described = { name: 'invoicing', version: '1.0.0', private: true, ...manifest };
    this.write('package.json', JSON.stringify(described));
  }

  /** @param packages as npm takes them; what they share with the application npm installs along */
  install(...packages: readonly string[]): void {
    const options = ['--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error'];
    execFileSync('npm', ['install', ...options, ...packages], {
      cwd: this.folder,
      stdio: 'inherit',
    });
  }

  /** As if another version of a package had been installed. */
  pretend(name: string, version: string): void {
    const file = join('node_modules', name, 'package.json');
    const described = JSON.parse(this.read(file)) as object;
    this.write(file, JSON.stringify({ ...described, version }));
  }
}
