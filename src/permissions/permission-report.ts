import {
  accessOf,
  ACTIONS,
  type Action,
  type Cell,
  type Decision,
  hasField,
  mergePresets,
  namedFields,
  type Caller,
} from '../engine';

interface ActionReport {
  readonly access: 'none' | 'partial' | 'full';
  readonly fields?: readonly string[];
  readonly presets?: Readonly<Record<string, Cell>>;
}

type CollectionReport = Readonly<Record<Action, ActionReport>>;

/** By collection; those on which the caller may do nothing are left out. */
export type PermissionReport = Readonly<Record<string, CollectionReport>>;

/** What the caller may do, by collection and action. */
export function reportPermissions(
  caller: Caller,
  collections: Iterable<{ readonly name: string }>,
): PermissionReport {
  const report: Record<string, CollectionReport> = {};
  for (const { name } of collections) {
    const reports = ACTIONS.map((action) => reportOf(caller.decide(action, name)));
    if (reports.every((each) => each === NONE)) continue;
    report[name] = Object.fromEntries(
      ACTIONS.map((action, index) => [action, reports[index]]),
    ) as Record<Action, ActionReport>;
  }
  return report;
}

const NONE: ActionReport = { access: 'none' };

function reportOf(decision: Decision | undefined): ActionReport {
  const access = decision ? accessOf(decision) : 'none';
  if (!decision || access === 'none') return NONE;
  return { access, fields: reportFields(decision), presets: reportPresets(decision) };
}

/** The granted fields in the collection's own order; all of them as `["*"]`. */
export function reportFields(decision: Decision): string[] {
  const named = namedFields(decision);
  if (named === '*') return ['*'];
  return [...decision.collection.fields.keys()].filter((name) => hasField(named, name));
}

export const reportPresets = (decision: Decision): Record<string, Cell> =>
  Object.fromEntries(mergePresets(decision.cases));
