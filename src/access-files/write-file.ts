import { Document, isScalar, Scalar, visit } from 'yaml';
import type { AccessState, Grant, PolicyState, RoleState, RuleFields } from './access-state';
import { byText, canonicalGrants, canonicalRules, isDefault, sortMembers } from './canonical';
import { VERSION } from './read-file';

const HEAD =
  ' Roles, policies and rules. Written by `doorward access export`, applied by `access apply`.';

/** Writes the file. Equal states give equal bytes: everything is sorted, and defaults are left out. */
export function writeAccessFile(state: AccessState): string {
  const document = new Document(
    {
      version: VERSION,
      ...unlessEmpty('roles', inOrder(state.roles, writeRole)),
      ...unlessEmpty('policies', inOrder(state.policies, writePolicy)),
      ...unlessEmpty('everyone', writeGrants(state.everyone)),
    },
    // Programs that read YAML 1.1 take an unquoted `no` for false.
    { version: '1.2', schema: 'core', compat: 'yaml-1.1', aliasDuplicateObjects: false },
  );
  document.commentBefore = HEAD;
  visit(document, {
    Seq: (_, list) => {
      if (!list.items.every((member) => isScalar(member))) return;
      // Lists of names are written on one line, where a text of several would be read as something else.
      list.flow = true;
      for (const member of list.items) if (isScalar(member) && hasLines(member)) quote(member);
    },
    Scalar: (_, scalar) => {
      // As a block, a text without anything but blanks would lose some of them.
      if (String(scalar.value).trim() === '') quote(scalar);
    },
    Map: (_, map) => {
      if (map.items.length === 0) map.flow = true;
    },
  });
  return document.toString({ lineWidth: 0, flowCollectionPadding: false });
}

const hasLines = ({ value }: Scalar): boolean => typeof value === 'string' && value.includes('\n');

function quote(scalar: Scalar): void {
  scalar.type = Scalar.QUOTE_DOUBLE;
}

const inOrder = <T>(map: ReadonlyMap<string, T>, write: (value: T) => object): object =>
  Object.fromEntries(
    [...map].toSorted(([one], [other]) => byText(one, other)).map(([key, it]) => [key, write(it)]),
  );

const unlessEmpty = (name: string, value: unknown): object =>
  isDefault(value) ? {} : { [name]: value };

const withoutDefaults = (fields: object): object =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => !isDefault(value)));

const writeRole = ({ fields, grants }: RoleState): object => ({
  ...withoutDefaults(fields),
  ...unlessEmpty('policies', writeGrants(grants)),
});

const writePolicy = ({ fields, rules }: PolicyState): object => ({
  ...withoutDefaults(fields),
  ...unlessEmpty('permissions', canonicalRules(rules).map(writeRule)),
});

const writeRule = (rule: RuleFields): object => {
  const { collection, action, ...rest } = rule;
  return { collection, action, ...(sortFilters(withoutDefaults(rest)) as object) };
};

const sortFilters = (rest: object): object =>
  Object.fromEntries(Object.entries(rest).map(([name, value]) => [name, sortMembers(value)]));

const writeGrants = (grants: readonly Grant[]): unknown[] =>
  canonicalGrants(grants).map(({ policy, expires_at }) =>
    expires_at === null ? policy : { policy, expires_at },
  );
