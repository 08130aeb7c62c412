import { type FieldShape, type Identity, Caller } from '../../../engine';
import type { Tx } from '../../../database/database';
import type { CollectionHooks } from '../../hooks';
import type { ForeignKey } from '../../registry/column';
import type { StoredCollection } from '../../registry/stored-collection';
import type { CollectionRegistry } from '../../registry/registry';
import { HandleTurns } from '../handle-turns';
import { ChangeLog } from '../log/change-log';
import { NestedItems } from './nested-items';
import { ParentLocks } from '../lock/parent-locks';
import { Planner } from './planner';
import { printPlan } from './print-plan.spec-support';
import { CharacterBudget } from '../character-budget';

const common = { nullable: true, concealed: false, hasDefault: false };

const column = (name: string): FieldShape => ({ kind: 'column', name, type: 'text', ...common });

const one = (name: string, target: string): FieldShape => ({
  kind: 'to-one',
  name,
  target,
  type: 'integer',
  ...common,
});

const list = (name: string, target: string, how: object): FieldShape => ({
  kind: 'to-many',
  name,
  target,
  concealed: false,
  ...how,
});

const foreignKey = (field: FieldShape): ForeignKey[] =>
  field.kind === 'to-one'
    ? [
        {
          sql: `"${field.name}"`,
          field: field.name,
          table: `"${field.target}"`,
          onDelete: 'NO ACTION',
        },
      ]
    : [];

function collection(name: string, ...fields: readonly FieldShape[]): StoredCollection {
  const key: FieldShape = { kind: 'column', name: 'id', type: 'integer', ...common };
  return {
    name,
    key: 'id',
    singleton: false,
    entity: class {},
    table: `"${name}"`,
    rows: `"${name}"`,
    fields: new Map([key, ...fields].map((field) => [field.name, field])),
    columns: new Map(),
    references: [],
    ownProfile: [],
    foreignKeys: fields.flatMap(foreignKey),
  };
}

const through = { collection: 'labels', foreignKey: 'book', targetForeignKey: 'tag' };
const collections = new Map(
  [
    collection(
      'books',
      column('title'),
      one('author', 'people'),
      list('chapters', 'chapters', { foreignKey: 'book' }),
      list('tags', 'tags', { through }),
    ),
    collection('chapters', column('title'), one('book', 'books')),
    collection('people', column('name'), one('mentor', 'people')),
    collection('labels', one('book', 'books'), one('tag', 'tags')),
    collection('tags', column('name')),
  ].map((each) => [each.name, each]),
);

const registry = {
  get: (name: string) => collections.get(name),
  table: (name: string) => collections.get(name),
  all: () => collections.values(),
} as unknown as CollectionRegistry;

const NOW = new Date('2024-01-01T00:00:00Z');
const identity: Identity = {
  user: null,
  role: null,
  roles: [],
  ip: null,
  now: NOW,
  session: null,
  staticToken: null,
};
const caller = new Caller(identity, registry, {
  administrator: true,
  policies: [],
  rules: new Map(),
  variables: { now: NOW, valueOf: () => null },
});

/** A planner for a caller with all rights, for whom creates need no database. */
function planner(hooks: CollectionHooks = {}): Planner {
  const asked = () => Promise.reject(new Error('The database was asked'));
  const tx: Tx = {
    query: asked,
    table: asked,
    afterCommit: () => undefined,
    withCommit: () => undefined,
  };
  const write = { create: asked, update: asked, delete: asked };
  const read = { list: asked, one: asked };
  const context = { caller, tx, read, write, system: () => ({ read, write }) };
  const commitHooks = { beforeCommit: () => undefined };
  const begun = {
    log: ChangeLog.begin(),
    beforeBudget: new CharacterBudget(),
    storedBudget: new CharacterBudget(),
    turns: new HandleTurns(),
    parentLocks: new ParentLocks(registry),
    byHook: false,
    changes: [],
  };
  return new Planner(
    { caller, tx, registry, commitHooks, hooksOf: () => hooks, contextOf: () => context, ...begun },
    new NestedItems(),
  );
}

const BOOK = {
  title: 'On doors',
  author: { name: 'Ann' },
  chapters: [{ title: 'Hinges' }, { title: 'Locks' }],
  tags: [7, { name: 'new' }],
};

describe('A plan', () => {
  it('is printed in the order in which it is carried out', async () => {
    const plan = await planner().create('books', [BOOK, { title: 'Untold' }]);
    expect(printPlan(plan)).toEqual([
      '  author: create people {name}',
      'create books {title, author, chapters, tags}',
      '  create chapters {title, book} by book',
      '  create chapters {title, book} by book',
      '  create labels {tag, book} by book',
      '    tag: create tags {name}',
      '  create labels {book, tag} by book',
      'create books {title}',
    ]);
  });

  it('contains the payload as hooks changed it, and what they added', async () => {
    const hooks: CollectionHooks = {
      beforeCreate: (payload) =>
        payload['title'] === 'Alone' ? { ...payload, author: { name: 'Bob' } } : payload,
    };
    const plan = await planner(hooks).create('books', [{ title: 'Alone' }]);
    expect(printPlan(plan)).toEqual([
      '  author: create people {name}',
      'create books {title, author}',
    ]);
  });

  it('is refused if items are nested too deep', async () => {
    const author = [1, 2, 3, 4, 5].reduce<object>((mentor) => ({ mentor }), {});
    await expect(planner().create('books', [{ author }])).rejects.toThrow(
      'related items are nested more than 5 levels deep',
    );
  });
});
