import {
  type Cell,
  type Decision,
  parseRule,
  type RuleSource,
  type Caller,
  type PathVariable,
} from '../engine';
import { ANNA, BERT, NOW, ruleSource, schema } from '../engine/sample.spec-support';
import type { Queries } from '../database';
import { loadPrincipal } from './principal';
import { RulesCache } from './rules-cache';
import { RightsChanges } from './rights-changes';

const LATER = new Date(NOW.getTime() + 60_000);
const HOLDER = { role: null, roles: [] };
const ACCESS = { ...HOLDER, policy: 'p', expires_at: null, ip_access: [], admin_access: false };
const UNTIL_LATER = { ...ACCESS, policy: 'q', expires_at: LATER.toISOString() };

/** Everyone has the policy `p` and, for one minute from now, `q`, with the given rules. */
function setUp(rules: readonly RuleSource[]) {
  const access: readonly object[] = [ACCESS, UNTIL_LATER];
  const beforeRead = async (_text: string): Promise<void> => {};
  const state = { now: NOW, rules, access, name: 'Anna' as Cell, loads: 0, beforeRead };
  const answers: [RegExp, () => readonly object[]][] = [
    [
      /service_access/,
      () => (state.access.length === 0 ? [{ ...HOLDER, policy: null }] : state.access),
    ],
    [/service_permissions/, () => [...state.rules]],
  ];
  const database: Queries = {
    query: async <R extends object>(text: string) => {
      state.loads += 1;
      await state.beforeRead(text);
      return (answers.find(([pattern]) => pattern.test(text))?.[1]() ?? []) as R[];
    },
    table: () => Promise.reject(new Error('no rows are asked for')),
  };
  const loader = {
    principal: (user: string | null) => loadPrincipal(database, user),
    load: async (_: unknown, variables: readonly PathVariable[]) =>
      new Map(variables.map(() => ['$CURRENT_USER.name', state.name])),
    isCacheable: () => false,
  };
  const currentMarks = { of: () => undefined, reload: async () => {} };
  const changes = new RightsChanges({ current: true, subscribe: () => {} });
  const held = new RulesCache(database, schema, loader, changes, currentMarks, () => state.now);
  const caller = async (user = ANNA, only?: readonly string[]): Promise<Caller> => {
    const staticToken = only && { id: only.join(), policies: new Set(only) };
    const found = await held.callerFor({ user, session: null, ip: null, staticToken });
    if (!found) throw new Error('nobody');
    return found;
  };
  const decision = async (user?: string): Promise<Decision | undefined> =>
    (await caller(user)).decide('read', 'things');
  return { held, state, caller, decision };
}

const operandsOf = (decision: Decision | undefined): unknown[] =>
  decision?.cases.flatMap(({ rows }) => ('operands' in rows ? rows.operands : [])) ?? [];

const OWN = ruleSource({ permissions: { owner: { _eq: '$CURRENT_USER' } } });
const RECENT = ruleSource({ id: 2, permissions: { timestamp: { _gt: '$NOW' } } });
const NAMED = ruleSource({ id: 3, permissions: { text: { _eq: '$CURRENT_USER.name' } } });

describe('a decision from rules that depend only on the caller', () => {
  it('is reused for the next request, which loads nothing', async () => {
    const { state, decision } = setUp([OWN]);
    const first = await decision();
    const { loads } = state;
    expect(await decision()).toBe(first);
    expect(state.loads).toBe(loads);
    expect(operandsOf(first)).toEqual([ANNA]);
  });

  it('is separate for each caller', async () => {
    const { decision } = setUp([OWN]);
    await decision();
    expect(operandsOf(await decision(BERT))).toEqual([BERT]);
  });

  it('is made again when the rules have changed', async () => {
    const { held, state, decision } = setUp([OWN]);
    const first = await decision();
    state.rules = [];
    held.onRightsChanged();
    expect([first?.cases.length, (await decision())?.cases.length]).toEqual([1, 0]);
  });

  it('is made again when the user has changed', async () => {
    const { held, decision } = setUp([OWN]);
    const first = await decision();
    held.onUserChanged(ANNA);
    expect(await decision()).not.toBe(first);
  });

  it('is made again when a policy no longer applies', async () => {
    const { state, decision } = setUp([OWN]);
    const verdicts = (of: Decision | undefined) => of?.considered.map(({ verdict }) => verdict);
    const first = await decision();
    state.now = LATER;
    expect([verdicts(first), verdicts(await decision())]).toEqual([
      ['in force', 'in force'],
      ['in force', 'expired'],
    ]);
  });

  it('ignores a rule that one route adds', async () => {
    const { caller, decision } = setUp([OWN]);
    const { cases = [] } = (await decision()) ?? {};
    const asked = await caller();
    const rule = parseRule(ruleSource({ id: 9 }), schema);
    expect(asked.withRule(rule).decide('read', 'things')?.cases).toHaveLength(2);
    expect(await decision()).toMatchObject({ cases });
  });
});

describe('a decision from a rule with variables that may change', () => {
  it('is made for the time of each request', async () => {
    const { state, decision } = setUp([OWN, RECENT]);
    const first = await decision();
    state.now = LATER;
    expect([operandsOf(first), operandsOf(await decision())]).toEqual([
      [ANNA, NOW.toISOString()],
      [ANNA, LATER.toISOString()],
    ]);
  });

  it('uses the value of its variable at each request', async () => {
    const { state, decision } = setUp([NAMED]);
    const first = await decision();
    state.name = 'Ann';
    expect([operandsOf(first), operandsOf(await decision())]).toEqual([['Anna'], ['Ann']]);
  });

  it('does not remove the decisions from other rules from the cache', async () => {
    const { caller } = setUp([RECENT, ruleSource({ id: 4, action: 'update' })]);
    const first = (await caller()).decide('update', 'things');
    expect((await caller()).decide('update', 'things')).toBe(first);
  });
});

describe('a static token limited to some policies', () => {
  const verdicts = ({ policies }: Caller): string[] => policies.map(({ verdict }) => verdict);

  it('has only these, and only while the user holds them', async () => {
    const { caller, state } = setUp([]);
    expect(verdicts(await caller(ANNA, ['q', 'another']))).toEqual(['token', 'in force']);
    state.now = LATER;
    expect(verdicts(await caller(ANNA, ['q', 'another']))).toEqual(['token', 'expired']);
  });

  it('shares no decision with a token with other policies, nor with the user', async () => {
    const { caller } = setUp([OWN]);
    const read = async (only?: readonly string[]) =>
      (await caller(ANNA, only)).decide('read', 'things');
    const [whole, one, other] = [await read(), await read(['p']), await read(['q'])];
    expect(new Set([whole, one, other]).size).toBe(3);
    expect([await read(), await read(['p', 'another']), await read(['q'])]).toEqual([
      whole,
      one,
      other,
    ]);
    expect(await read(['p'])).toBe(one);
  });

  it('has administrator rights only with a policy that grants them', async () => {
    const { caller, state } = setUp([]);
    state.access = [ACCESS, { ...ACCESS, policy: 'admin', admin_access: true }];
    const made = [await caller(), await caller(ANNA, ['p']), await caller(ANNA, ['p', 'admin'])];
    expect(made.map(({ administrator }) => administrator)).toEqual([true, false, true]);
  });

  it('keeps every policy that asks for a second factor, however often it is attached', async () => {
    const { caller, state } = setUp([]);
    const guard = { ...ACCESS, policy: 'guard', enforce_tfa: true };
    state.access = [ACCESS, guard, { ...guard, expires_at: NOW.toISOString() }];
    expect([(await caller(ANNA, ['p'])).needsTfa, (await caller(ANNA, [])).needsTfa]).toEqual([
      true,
      true,
    ]);
  });
});

describe('a change of rights while they are read', () => {
  it('leaves no caller who has the old policies and the new rules', async () => {
    const { held, state, decision } = setUp([]);
    state.beforeRead = async (text) => {
      if (!text.includes('service_permissions') || state.access.length === 0) return;
      [state.access, state.rules] = [[], [OWN]];
      held.onRightsChanged();
    };
    expect((await decision())?.cases).toEqual([]);
  });

  it('lets a request go on though rights change at every read', async () => {
    const { held, state, decision } = setUp([OWN]);
    state.beforeRead = async () => held.onRightsChanged();
    expect((await decision())?.cases).toHaveLength(1);
  });
});
