import { AppConfig } from '../../src/config/app-config';
import { durationText, EnvReader, type Environment } from '../../src/config/env-reader';
import { SETTINGS } from '../../src/config/setting-texts';

const SECRET = 'Qm7vT2xLw9ZkRb4sYc1NfHj6PdGe8AuX';

/** Records which variables the configuration reads, and their defaults. */
class HearingReader extends EnvReader {
  readonly defaults = new Map<string, string>();

  override text(name: string): string | undefined;
  override text(name: string, fallback: string): string;
  override text(name: string, fallback?: string): string | undefined {
    if (!this.defaults.has(name)) this.hear(name, fallback);
    return fallback === undefined ? super.text(name) : super.text(name, fallback);
  }

  override integer(name: string, fallback: number, bounds: { min: number; max: number }): number {
    this.hear(name, fallback);
    return super.integer(name, fallback, bounds);
  }

  override flag(name: string, fallback: boolean): boolean {
    this.hear(name, fallback);
    return super.flag(name, fallback);
  }

  override duration(
    name: string,
    fallback: number,
    bounds?: { min?: number; max?: number },
  ): number {
    this.hear(name, fallback === 0 ? 0 : durationText(fallback));
    return super.duration(name, fallback, bounds);
  }

  override oneOf<T extends string>(name: string, allowed: readonly T[], fallback: T): T {
    this.hear(name, fallback);
    return super.oneOf(name, allowed, fallback);
  }

  private hear(name: string, fallback: string | number | boolean | undefined): void {
    this.defaults.set(name, fallback === undefined ? 'none' : `\`${fallback}\``);
  }
}

/** The default of every variable that the configuration reads. */
function defaultsIn(environment: Environment): ReadonlyMap<string, string> {
  const reader = new HearingReader({ SECRET, ...environment });
  const config = new AppConfig({ SECRET, ...environment }, reader);
  if (config.secrets[0] !== SECRET) throw new Error('The configuration read something else');
  reader.defaults.set('SECRET', 'none');
  return reader.defaults;
}

interface SettingRow {
  readonly name: string;
  readonly otherwise: string;
  readonly about: string;
}

/**
 * The rows of docs/configuration.md: names and defaults as the configuration reads them, and the texts of `SETTINGS`.
 * @throws Error for a variable without a text, and for a text without a variable
 */
function settingRows(): SettingRow[] {
  const [here, there] = [defaultsIn({}), defaultsIn({ NODE_ENV: 'production' })];
  const strange = [...here.keys()].filter((name) => !Object.hasOwn(SETTINGS, name));
  const unread = Object.keys(SETTINGS).filter((name) => !here.has(name));
  if (strange.length + unread.length > 0) {
    throw new Error(`Without a text: ${strange.join(', ')}; never read: ${unread.join(', ')}`);
  }
  return Object.entries<{ about: string; otherwise?: string }>(SETTINGS).map(
    ([name, { about, otherwise }]) => {
      const [value = '', inProduction] = [here.get(name), there.get(name)];
      const heard = value === inProduction ? value : `${inProduction} in production`;
      return { name, about, otherwise: otherwise ?? heard };
    },
  );
}

/** The table as Markdown, not yet formatted. */
export function settingsTable(): string {
  const cells = settingRows().map(({ name, otherwise, about }) => [
    `\`${name}\``,
    otherwise,
    about,
  ]);
  const rows = [['Variable', 'Default', 'What it decides'], ['---', '---', '---'], ...cells];
  return rows.map((row) => `| ${row.join(' | ')} |\n`).join('');
}
