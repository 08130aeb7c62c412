import { type RuleSource, type Schema, type Caller, everything } from '../../src/engine';
import { Metrics } from '../../src/common/metrics/metrics';
import { unrestricted } from '../../src/engine/rules/decision';
import { cachedPrograms, matchesPattern } from '../../src/engine/filter/regex';
import { column, ruleSource, schema, things } from '../../src/engine/sample.spec-support';
import { SessionCache } from '../../src/auth/sessions/session-cache';
import { LastSeen } from '../../src/auth/sessions/last-seen';
import { StaticTokenCache } from '../../src/auth/static-tokens/static-token-cache';
import { JwtService } from '@nestjs/jwt';
import { type TokenClaims, jwtOptions, SignedTokens } from '../../src/auth/signed-tokens';
import { TokenKeys } from '../../src/auth/token-keys';
import { SecretKeys } from '../../src/secrets';
import type { Collections } from '../../src/collections/collections';
import { ProtectedRepository } from '../../src/repository/protected-repository';
import type { RepositorySetting } from '../../src/repository/repository-setting';
import type { TableView } from '../../src/repository/compile/scope';
import type { BoundQuery } from '../../src/repository/query/query';
import { numberDecision, plainQueries } from '../../src/repository/read/plain-queries';
import { plainStatement, plainStatements } from '../../src/repository/read/plain-statements';
import {
  storingStatement,
  storingStatements,
} from '../../src/repository/write/store/storing-statement';
import { QueryReader } from '../../src/repository/read/query-reader';
import type { StoredCollection } from '../../src/repository/registry/stored-collection';
import { Forbidden } from '../../src/common/errors';
import { AppConfig } from '../../src/config/app-config';
import type { Database, Queries } from '../../src/database/database';
import { PermissionsService } from '../../src/permissions/permissions.service';
import { loadPrincipal } from '../../src/rules/principal';
import { RulesCache, RightsChanges } from '../../src/rules';
import { expectRoom, type Filling } from './filled-caches';

/** As many leaves as a filter may have: each counts as two members. */
const LEAVES = 490;

jest.setTimeout(120_000);

const uuid = (number: number): string =>
  `aaaaaaaa-0000-4000-8000-${number.toString(16).padStart(12, '0')}`;

const heard = (): RightsChanges => new RightsChanges({ current: true, subscribe: () => {} });

interface Rights {
  /** Parsed from text, like the answers of the database, so that no two callers share a value. */
  readonly rules?: () => readonly RuleSource[];
  readonly attachments?: number;
  readonly shapes?: Schema;
}

/** Every user has their own policies with the given rules. */
function rightsWith({ rules = () => [], attachments = 1, shapes = schema }: Rights) {
  const accessOf = (user: unknown): object[] =>
    Array.from({ length: attachments }, (_, index) => ({
      policy: `${String(user)} ${index}`,
      ...{
        role: null,
        roles: [],
        expires_at: null,
        ip_access: ['10.0.0.0/8'],
        admin_access: false,
      },
    }));
  const database: Queries = {
    query: async <R extends object>(text: string, [first]: readonly unknown[] = []) =>
      (text.includes('service_permissions') ? rules() : accessOf(first)) as R[],
    table: () => Promise.reject(new Error('no rows are read here')),
  };
  const loader = {
    principal: (user: string | null) => loadPrincipal(database, user),
    load: async () => new Map(),
    isCacheable: () => true,
  };
  const currentMarks = { of: () => undefined, reload: async () => {} };
  const cache = new RulesCache(database, shapes, loader, heard(), currentMarks);
  const caller = async (number: number): Promise<Caller> => {
    const found = await cache.callerFor({ user: uuid(number), session: null, ip: '10.0.0.1' });
    if (!found) throw new Error('nobody');
    return found;
  };
  return { cache, caller };
}

const ACTIONS = ['read', 'create', 'update', 'delete'] as const;

const largeFilter = (): object =>
  JSON.parse(`{"_or":[${'{"id":{"_eq":1}},'.repeat(LEAVES)}{"id":{"_eq":2}}]}`) as object;

const largeRules = (): readonly RuleSource[] =>
  ACTIONS.map((action, id) =>
    ruleSource({ id, action, permissions: largeFilter(), validation: largeFilter() }),
  );

function holders(): Filling {
  const { cache, caller } = rightsWith({ attachments: 300 });
  return { owner: cache, add: caller };
}

function books(): Filling {
  const { cache, caller } = rightsWith({ rules: largeRules });
  return { owner: cache, add: caller };
}

function decisions(): Filling {
  const { cache, caller } = rightsWith({ rules: largeRules });
  const add = async (number: number): Promise<void> => {
    const asked = await caller(number);
    for (const action of ACTIONS) {
      const { cases = [] } = asked.decide(action, 'things') ?? {};
      expect(cases.map(({ rows, validation }) => [rows.kind, validation.kind])).toEqual([
        ['or', 'or'],
      ]);
    }
  };
  return { owner: cache, add };
}

/** Statements of the maximum length: they contain a rule's conditions. */
function statements(): Filling {
  const id = { sql: '"id"', cast: 'int4', type: 'integer', indexed: true };
  const table = { name: 'things', table: '"things"', key: 'id', columns: new Map([['id', id]]) };
  const rows = `t0."text" = '${'x'.repeat(16_000)}'`;
  const view = { registry: { table: () => table }, rows: () => rows } as object as TableView;
  const some = { collection: 'things', fields: [], relations: [], sort: [], limit: 1, offset: 0 };
  const query: BoundQuery = { ...some, filter: everything, search: null };
  const add = (): void => {
    const decision = { ...unrestricted(things, 'read', []) };
    for (const key of [1, 2])
      expect(plainStatement({ decision, fields: '' }, query, view, { keys: [key] }).values).toEqual(
        [key, 1],
      );
  };
  return { owner: plainStatements, add };
}

/** The same for statements that store a row. */
const storing = (): Filling => ({
  owner: storingStatements,
  add: (number) => {
    const text = `${number} ${'x'.repeat(16_000)}`;
    const compile = () => ({ text, values: [() => number], own: 1, judged: 1 });
    expect(storingStatement(`${number}`, compile).text).toBe(text);
    expect(storingStatements.has(`${number}`)).toBe(true);
  },
});

const limits = { defaultLimit: 100, maxLimit: 1000, maxDepth: 10 };
const NAMES = Array.from({ length: 1000 }, (_, index) => `column_${index}`);

/** A collection of a thousand fields. */
function wideRights() {
  const fields = new Map([
    ...things.fields,
    ...NAMES.map((name) => [name, column(name, 'text')] as const),
  ]);
  const wide = { ...things, fields };
  const shapes: Schema = {
    get: (name) => (name === 'things' ? wide : schema.get(name)),
    all: () => [wide],
  };
  return { wide, ...rightsWith({ rules: () => [ruleSource({})], shapes }) };
}

/** As many field names as a cache key may have, a different selection each time. */
function plainSelections(): Filling {
  const { caller } = wideRights();
  const reader = new QueryReader('things', limits);
  const add = async (number: number): Promise<void> => {
    const asked = await caller(0);
    const decision = asked.decide('read', 'things');
    if (!decision) throw new Error('nothing is readable');
    numberDecision(decision);
    const fields = `${NAMES[number % 700]},${NAMES.slice(700 + Math.floor(number / 700), 860).join()}`;
    expect(reader.item(asked, { fields }).query.fields.length).toBeGreaterThan(150);
  };
  return { owner: plainQueries, add };
}

/** The fields that are read of one item follow from the decision, and are cached with it. */
function plainItems(): Filling {
  const { wide, cache, caller } = wideRights();
  const repository = new ProtectedRepository(
    wide as object as StoredCollection,
    { limits } as RepositorySetting,
  );
  const add = async (number: number): Promise<void> => {
    const asked = repository.one(await caller(number), 'no key of a thing', {});
    await expect(asked).rejects.toThrow(Forbidden);
  };
  return { owner: cache, add };
}

/** An empty object is three characters long in JSON, but takes more than sixty bytes of memory. */
const presetRules = (): RuleSource[] => [
  ruleSource({
    action: 'create',
    presets: JSON.parse(`{"json":[${'{},'.repeat(10_000)}{}]}`) as object,
  }),
];

function presets(): Filling {
  const { cache, caller } = rightsWith({ rules: presetRules });
  return { owner: cache, add: caller };
}

/** A report contains presets unchanged. */
function reports(): Filling {
  const { cache, caller } = rightsWith({ rules: presetRules });
  const service = new PermissionsService({ registry: schema } as Collections, new Metrics());
  const add = async (number: number): Promise<void> => {
    expect(service.mine(await caller(number))).toHaveProperty('data.things');
    // The rules themselves are cached elsewhere.
    cache.onRightsChanged();
  };
  return { owner: service, add };
}

function sessions(): Filling {
  const query = async (): Promise<object[]> => [{ expires_at: '2999-01-01 00:00:00.000+00' }];
  const database = { query } as object as Database;
  const cache = new SessionCache(database, heard(), new LastSeen(database));
  const add = async (number: number): Promise<void> => {
    const asked = Array.from({ length: 100 }, (_, index) =>
      cache.isAlive({ user: uuid(number), session: uuid(index), generation: number }),
    );
    expect(await Promise.all(asked)).not.toContain(false);
  };
  return { owner: cache, add };
}

/** Each token has the maximum number of policies, parsed from text. */
function staticTokens(): Filling {
  const keys = JSON.stringify(Array.from({ length: 50 }, (_, index) => uuid(index)));
  const query = async (): Promise<object[]> => [
    { id: uuid(0), expires_at: null, policies: JSON.parse(keys) as string[] },
  ];
  const database = { query } as object as Database;
  const cache = new StaticTokenCache(database, new LastSeen(database), heard());
  const add = async (number: number): Promise<void> => {
    const asked = Array.from({ length: 100 }, (_, index) =>
      cache.read({ user: uuid(number), token: `${number} ${index}` }),
    );
    for (const { policies } of await Promise.all(asked)) expect(policies?.size).toBe(50);
  };
  return { owner: cache, add };
}

function tokens(): Filling {
  const keys = new TokenKeys(
    new SecretKeys(new AppConfig({ SECRET: 'a secret for the tests of tokens' })),
  );
  const signed = new SignedTokens<TokenClaims>(
    new JwtService(jwtOptions(keys)),
    'access',
    (bearer) => bearer,
  );
  const add = (number: number): void => {
    const user = uuid(number);
    const token = signed.issue(user, user, 3_600_000, { more: 'x'.repeat(1200) });
    expect(signed.read(token).user).toBe(user);
  };
  return { owner: signed, add };
}

/** Each mention of a Unicode class creates a table. */
const patterns = (): Filling => ({
  owner: cachedPrograms,
  add: (number) => matchesPattern(`${String.raw`\PL`.repeat(320)}${number}`, 'ab'),
});

describe('60: every cache stays within its bound when it is filled with the largest entries', () => {
  it.each<[string, () => Filling, number, number]>([
    ['callers with many policies', holders, 300, 30],
    ['rule books', books, 130, 100],
    ['rule books with presets of JSON', presets, 100, 100],
    ['decisions', decisions, 100, 170],
    ['plain items', plainItems, 1000, 50],
    ['plain selections', plainSelections, 1500, 20],
    ['plain statements', statements, 2000, 20],
    ['storing statements', storing, 2000, 12],
    ['reports', reports, 80, 40],
    ['sessions', sessions, 2000, 25],
    ['static tokens', staticTokens, 200, 25],
    ['signed tokens', tokens, 12_000, 16],
    ['programs of regular expressions', patterns, 60, 40],
  ])('%s', expectRoom);
});
