export type Environment = Readonly<Record<string, string | undefined>>;

/** Milliseconds of each unit of a duration. */
export const UNITS: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
};
const YES = new Set(['true', '1', 'yes', 'on']);
const NO = new Set(['false', '0', 'no', 'off']);
const MAX_DURATION = 3_650 * 86_400_000;

/**
 * Reads typed values from the environment, and collects all faults instead of stopping at the first, so that an operator
 * can correct them together. An empty value counts as unset, since compose files pass those. A fault names the variable
 * and the reason, but never the value, which may be a secret.
 */
export class EnvReader {
  readonly faults: string[] = [];

  constructor(private readonly env: Environment) {}

  fault(name: string, reason: string): void {
    this.faults.push(`${name} ${reason}`);
  }

  text(name: string): string | undefined;
  text(name: string, fallback: string): string;
  text(name: string, fallback?: string): string | undefined {
    const value = this.env[name]?.trim();
    return value === '' || value === undefined ? fallback : value;
  }

  /** The value with its leading and trailing blanks; blanks alone count as unset. */
  verbatim(name: string): string | undefined {
    return this.text(name) === undefined ? undefined : this.env[name];
  }

  integer(name: string, fallback: number, bounds: { min: number; max: number }): number {
    const raw = this.text(name);
    if (raw === undefined) return fallback;
    const value = /^-?\d{1,15}$/.test(raw) ? Number(raw) : Number.NaN;
    if (value >= bounds.min && value <= bounds.max) return value;
    this.fault(name, `must be a whole number from ${bounds.min} to ${bounds.max}`);
    return fallback;
  }

  flag(name: string, fallback: boolean): boolean {
    const raw = this.text(name)?.toLowerCase();
    if (raw === undefined) return fallback;
    if (YES.has(raw)) return true;
    if (!NO.has(raw)) this.fault(name, 'must be true or false');
    return false;
  }

  /** Milliseconds, from `15m`, `7d`, `500ms` or a bare number of milliseconds. */
  duration(name: string, fallback: number, { min = 1, max = MAX_DURATION } = {}): number {
    const raw = this.text(name);
    if (raw === undefined) return fallback;
    const match = /^(\d{1,12})(ms|s|m|h|d)?$/.exec(raw);
    const value = match ? Number(match[1]) * (UNITS[match[2] ?? 'ms'] ?? 1) : NaN;
    if (value >= min && value <= max) return value;
    const bounds = `from ${durationText(min)} to ${durationText(max)}`;
    this.fault(name, `must be a duration such as 15m, 7d or a number of milliseconds, ${bounds}`);
    return fallback;
  }

  oneOf<T extends string>(name: string, allowed: readonly T[], fallback: T): T {
    const raw = this.text(name)?.toLowerCase();
    if (raw === undefined) return fallback;
    const found = allowed.find((value) => value === raw);
    if (found === undefined) this.fault(name, `must be one of ${allowed.join(', ')}`);
    return found ?? fallback;
  }

  list(name: string): string[] {
    const items = this.text(name)?.split(',') ?? [];
    return items.map((item) => item.trim()).filter((item) => item !== '');
  }

  /**
   * The URL as written, if it is valid and has one of the schemes (`http:`, `postgres:` …).
   * @param hostless whether a user may be without a host, as in `postgres://user@/db?host=/tmp`
   */
  url(name: string, schemes: readonly string[], hostless = false): string | undefined {
    const raw = this.text(name);
    if (raw === undefined) return undefined;
    const starts = schemes.map((scheme) => `${scheme}//`);
    const starting = starts.some((start) => raw.toLowerCase().startsWith(start));
    if (!starting) {
      this.fault(name, `must be a URL that begins with ${starts.join(' or ')}`);
      return undefined;
    }
    const url = [raw, withHost(raw)].find((each) => URL.canParse(each));
    if (url === undefined || (url !== raw && !hostless)) {
      const escapes = '/ as %2F, ? as %3F, # as %23 and @ as %40';
      this.fault(name, `is not a valid URL: in a user name or password write ${escapes}`);
    } else if (!isDecodable(new URL(url))) {
      this.fault(name, 'has a % that does not begin an escape: write it as %25');
    } else return raw;
    return undefined;
  }
}

/** As an operator would write it: in the largest unit that leaves no rest. */
export function durationText(milliseconds: number): string {
  const units = Object.entries(UNITS).filter(
    ([, size]) => milliseconds >= size && milliseconds % size === 0,
  );
  const [unit, size] = units.at(-1) ?? ['ms', 1];
  return `${milliseconds / size}${unit}`;
}

/** A URL with a user but without a host, which `URL` does not parse, gets one; any other stays as it is. */
export const withHost = (url: string): string =>
  url.replace(/^([a-z]+:\/\/[^/?#]*@)\//i, '$1localhost/');

/** Clients would fail with it later, without naming the variable. */
function isDecodable({ username, password, hostname, pathname }: URL): boolean {
  try {
    for (const part of [username, password, hostname, pathname]) decodeURIComponent(part);
    return true;
  } catch {
    return false;
  }
}
