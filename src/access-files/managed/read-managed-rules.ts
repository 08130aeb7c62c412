import { RegistrationError } from '../../common/schema';
import type { Schema } from '../../engine';
import type { AccessState } from '../access-state';
import type { Path } from '../access-source';
import { byText } from '../canonical';
import { compareAccess, type StoredAccess } from '../compare';
import { type Fault, FileFault } from '../file-fault';
import { checkRules } from '../check-rules';
import { isKey } from '../keys';
import { readAccess, type ReadAccess } from '../read-access';
import { writeAccessFile } from '../write-file';
import type { ManagedRules } from './provide-rules';

/** Rules of a module, parsed and checked. */
export interface ReadRules {
  readonly key: string;
  readonly version: number;
  readonly state: AccessState;
  /** A text that is equal for equal rules. */
  readonly content: string;
}

/** The largest value of the column. */
const MAX_VERSION = 2_147_483_647;

const NOTHING_STORED: StoredAccess = {
  state: { roles: new Map(), policies: new Map(), everyone: [] },
  roleIds: new Map(),
  policyIds: new Map(),
  rules: new Map(),
  grantIds: new Map(),
  keyless: { roles: [], policies: [] },
  managed: { roles: new Map(), policies: new Map(), grants: new Map() },
};

/**
 * Reads the rules of modules like a file, and checks them as the API checks rules.
 * @throws RegistrationError with a sentence for the first fault
 */
export function readManagedRules(given: readonly ManagedRules[], schema: Schema): ReadRules[] {
  const read = given.map((each) => readOne(each, schema));
  refuseTwice(read);
  return read.toSorted((one, other) => byText(one.key, other.key));
}

function readOne(given: ManagedRules, schema: Schema): ReadRules {
  const { key, version } = given;
  const { state, faultOf } = withRegistrationErrors(key, () => readCode(given));
  const [fault] = checkRules(compareAccess(state, NOTHING_STORED), { faultOf }, schema);
  if (fault) throw faulty(key, fault);
  return { key, version, state, content: writeAccessFile(state) };
}

const readCode = (given: ManagedRules): ReadAccess =>
  readAccess(
    // Reduced to plain data, as it will be stored and compared.
    { value: JSON.parse(JSON.stringify(given)) as unknown, fault: placed },
    {
      extraMembers: ['key', 'version'],
      check(reader, { key, version }) {
        if (typeof key !== 'string' || !isKey(key)) {
          reader.fault(['key'], 'has small letters, digits and single hyphens between them');
        }
        const isVersion = Number.isInteger(version) && Number(version) >= 1;
        if (!isVersion || Number(version) > MAX_VERSION) {
          reader.fault(['version'], 'must be a whole number from 1');
        }
      },
    },
  );

const placed = (path: Path, reason: string): Fault => ({ place: path.join('.'), reason });

function withRegistrationErrors(key: unknown, read: () => ReadAccess): ReadAccess {
  try {
    return read();
  } catch (error) {
    const [fault] = error instanceof FileFault ? error.faults : [];
    if (fault) throw faulty(key, fault);
    throw new RegistrationError(
      `provideRules of ${JSON.stringify(key)} contains something other than plain data.`,
    );
  }
}

const faulty = (key: unknown, { place, reason }: Fault): RegistrationError =>
  new RegistrationError(`provideRules of ${JSON.stringify(key)}: ${place || 'it'} ${reason}.`);

function refuseTwice(all: readonly ReadRules[]): void {
  const known = new Map<string, string>();
  for (const { key, state } of all) {
    const names = [
      `the key "${key}"`,
      ...[...state.roles.keys()].map((role) => `the role "${role}"`),
      ...[...state.policies.keys()].map((policy) => `the policy "${policy}"`),
    ];
    for (const name of names) {
      const other = known.get(name);
      if (other !== undefined) {
        throw new RegistrationError(
          `provideRules of "${other}" and of "${key}" both have ${name}: rename one.`,
        );
      }
      known.set(name, key);
    }
  }
}
