import { parseValue } from '../engine';
import { isNetwork } from '../common/networks';
import type { AccessSource, Path } from './access-source';
import type { Fault } from './file-fault';
import { isKey, MAX_KEY } from './keys';

type Members = Readonly<Record<string, unknown>>;

/** The longest name, in characters: the size of the column. `MAX_ICON` likewise. */
const MAX_NAME = 255;
export const MAX_ICON = 64;

/** Reads the members of a file, checks the type of each, and collects the faults. */
export class FileReader {
  readonly faults: Fault[] = [];

  constructor(private readonly source: AccessSource) {}

  fault(path: Path, reason: string): void {
    this.faults.push(this.source.fault(path, reason));
  }

  /**
   * The members of an object. An unknown member is a fault; anything but an object is a fault too, and read as empty.
   */
  members(value: unknown, path: Path, known: readonly string[]): Members {
    const members = this.object(value, path);
    for (const name of Object.keys(members)) {
      if (!known.includes(name))
        this.fault([...path, name], `"${name}" is not known here; known are ${known.join(', ')}`);
    }
    return members;
  }

  object(value: unknown, path: Path): Members {
    if (value === undefined || value === null) return {};
    if (typeof value === 'object' && !Array.isArray(value)) return value as Members;
    this.fault(path, 'must be an object');
    return {};
  }

  /** The members of an object whose names are keys of roles or policies. */
  keyed(value: unknown, path: Path): [key: string, value: unknown][] {
    return Object.entries(this.object(value, path)).filter(([key]) => {
      if (isKey(key)) return true;
      this.fault(
        [...path, key],
        `a key has small letters, digits and single hyphens between them, at most ${MAX_KEY}`,
      );
      return false;
    });
  }

  list(value: unknown, path: Path): readonly unknown[] {
    if (value === undefined || value === null) return [];
    if (Array.isArray(value)) return value;
    this.fault(path, 'must be a list');
    return [];
  }

  texts(value: unknown, path: Path): string[] {
    return this.list(value, path).flatMap((member, index) => {
      if (typeof member === 'string') return [member];
      this.fault([...path, index], 'must be text');
      return [];
    });
  }

  networks(value: unknown, path: Path): string[] {
    const networks = this.texts(value, path);
    for (const [index, network] of networks.entries()) {
      if (!isNetwork(network)) this.fault([...path, index], 'is not an address or network (CIDR)');
    }
    return networks;
  }

  name(value: unknown, path: Path): string {
    const name = this.text(value, path, MAX_NAME);
    if (name === null) this.fault(path, 'needs a name');
    return name ?? '';
  }

  /** @param max in characters */
  text(value: unknown, path: Path, max?: number): string | null {
    if (value === undefined || value === null) return null;
    const parsed = parseValue(
      { type: 'text', ...(max !== undefined && { maxLength: max }) },
      value,
    );
    if ('value' in parsed) return parsed.value as string;
    this.fault(path, parsed.reason);
    return null;
  }

  flag(value: unknown, path: Path): boolean {
    if (value === undefined || typeof value === 'boolean') return value === true;
    this.fault(path, 'must be true or false');
    return false;
  }

  instant(value: unknown, path: Path): string | null {
    if (value === undefined || value === null) return null;
    const parsed = parseValue({ type: 'timestamp' }, value);
    if ('value' in parsed) return parsed.value as string;
    this.fault(path, parsed.reason);
    return null;
  }
}
