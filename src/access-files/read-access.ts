import { type Action, ACTIONS } from '../engine';
import type {
  AccessState,
  Grant,
  Json,
  PolicyFields,
  PolicyState,
  RoleFields,
  RoleState,
  RuleFields,
} from './access-state';
import type { AccessSource, Path } from './access-source';
import { canonicalGrants, canonicalJson, canonicalNames, canonicalRules } from './canonical';
import { type Fault, FileFault } from './file-fault';
import { FileReader, MAX_ICON } from './file-reader';
import { faultsOfReferences, type Keys, NO_KEYS } from './reference-faults';

/** The state that a source declares, and how to report a fault at the place of a rule. */
export interface ReadAccess {
  readonly state: AccessState;
  /** Makes a fault at a rule, or at one of its members. */
  readonly faultOf: (rule: RuleFields, path: Path, reason: string) => Fault;
}

/** What a source has beside roles and policies. */
interface ReadOptions {
  /** Names of further top-level members, which `check` validates. */
  readonly extraMembers: readonly string[];
  readonly check: (reader: FileReader, members: Json) => void;
  /** Keys of roles and policies that come from elsewhere: the source may refer to them, but not define them. */
  readonly external?: Keys;
}

const TOP = ['roles', 'policies', 'everyone'] as const;
const ROLE = ['name', 'icon', 'description', 'parent', 'policies'] as const;
const FLAGS = ['enforce_tfa', 'admin_access', 'app_access'] as const;
const POLICY = ['name', 'icon', 'description', 'ip_access', ...FLAGS, 'permissions'] as const;
const FILTERS = ['permissions', 'validation', 'presets'] as const;
const RULE = ['collection', 'action', 'fields', ...FILTERS, 'explain'] as const;
const GRANT = ['policy', 'expires_at'] as const;

/** The longest name of a collection, in characters: the size of the column. */
const MAX_COLLECTION = 64;

/**
 * Reads roles, policies and rules. Whether the rules fit the collections is checked later.
 * @throws FileFault that names every fault with its place
 */
export function readAccess(
  source: AccessSource,
  { extraMembers, check, external = NO_KEYS }: ReadOptions,
): ReadAccess {
  const reader = new FileReader(source);
  const members = reader.members(source.value, [], [...extraMembers, ...TOP]);
  check(reader, members);
  const places = new Map<RuleFields, Path>();
  const state = readState(reader, members, places);
  const faultOf: ReadAccess['faultOf'] = (rule, path, reason) =>
    source.fault([...(places.get(rule) ?? []), ...path], reason);
  const faults = [...reader.faults, ...faultsOfReferences(state, source, faultOf, external)];
  if (faults.length > 0) throw new FileFault(faults);
  return { state, faultOf };
}

const readState = (
  reader: FileReader,
  { roles, policies, everyone }: Json,
  places: Map<RuleFields, Path>,
): AccessState => ({
  roles: new Map(
    reader
      .keyed(roles, ['roles'])
      .map(([key, role]) => [key, readRole(reader, role, ['roles', key])]),
  ),
  policies: new Map(
    reader
      .keyed(policies, ['policies'])
      .map(([key, policy]) => [key, readPolicy(reader, policy, ['policies', key], places)]),
  ),
  everyone: readGrants(reader, everyone, ['everyone']),
});

function readRole(reader: FileReader, value: unknown, path: Path): RoleState {
  const { policies, parent, ...role } = reader.members(value, path, ROLE);
  const fields: RoleFields = {
    ...readPresentation(reader, role, path),
    parent: reader.text(parent, [...path, 'parent']),
  };
  return { fields, grants: readGrants(reader, policies, [...path, 'policies']) };
}

type Presentation = Pick<RoleFields, 'name' | 'icon' | 'description'>;

const readPresentation = (reader: FileReader, value: Json, path: Path): Presentation => ({
  name: reader.name(value['name'], [...path, 'name']),
  icon: reader.text(value['icon'], [...path, 'icon'], MAX_ICON),
  description: reader.text(value['description'], [...path, 'description']),
});

/** @param places receives the path of each rule */
function readPolicy(
  reader: FileReader,
  value: unknown,
  path: Path,
  places: Map<RuleFields, Path>,
): PolicyState {
  const { permissions, ip_access, ...policy } = reader.members(value, path, POLICY);
  const [enforce_tfa, admin_access, app_access] = FLAGS.map((name) =>
    reader.flag(policy[name], [...path, name]),
  );
  const fields: PolicyFields = {
    ...readPresentation(reader, policy, path),
    ip_access: canonicalNames(reader.networks(ip_access, [...path, 'ip_access'])),
    enforce_tfa: enforce_tfa === true,
    admin_access: admin_access === true,
    app_access: app_access === true,
  };
  const at: Path = [...path, 'permissions'];
  const rules = reader.list(permissions, at).map((each, index) => {
    const rule = readRule(reader, each, [...at, index]);
    places.set(rule, [...at, index]);
    return rule;
  });
  return { fields, rules: canonicalRules(rules) };
}

function readRule(reader: FileReader, value: unknown, path: Path): RuleFields {
  const { fields, explain, ...rule } = reader.members(value, path, RULE);
  const collection = reader.text(rule['collection'], [...path, 'collection'], MAX_COLLECTION);
  if (collection === null) reader.fault([...path, 'collection'], 'needs a collection');
  const filter = (name: (typeof FILTERS)[number]): Json =>
    canonicalJson(reader.object(rule[name], [...path, name]));
  return {
    collection: collection ?? '',
    action: readAction(reader, rule['action'], [...path, 'action']),
    fields: canonicalNames(reader.texts(fields, [...path, 'fields'])),
    permissions: filter('permissions'),
    validation: filter('validation'),
    presets: filter('presets'),
    explain: reader.flag(explain, [...path, 'explain']),
  };
}

function readAction(reader: FileReader, value: unknown, path: Path): Action {
  const action = ACTIONS.find((name) => name === value);
  if (action === undefined) reader.fault(path, `needs an action: one of ${ACTIONS.join(', ')}`);
  return action ?? 'read';
}

/** `editing`, or with an expiry `{policy: editing, expires_at: 2027-01-01T00:00:00Z}`. */
function readGrants(reader: FileReader, value: unknown, path: Path): Grant[] {
  const grants = reader.list(value, path).map((each, index): Grant => {
    const at: Path = [...path, index];
    if (typeof each === 'string') return { policy: each, expires_at: null };
    const { policy, expires_at } = reader.members(each, at, GRANT);
    if (typeof policy !== 'string') reader.fault(at, 'must be the key of a policy');
    const until = reader.instant(expires_at, [...at, 'expires_at']);
    return { policy: typeof policy === 'string' ? policy : '', expires_at: until };
  });
  return canonicalGrants(grants);
}
