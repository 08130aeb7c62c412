import { Module } from '@nestjs/common';
import {
  type Change,
  Collection,
  type CollectionHooks,
  CollectionsModule,
  Field,
  HooksOf,
  type Key,
  type Payload,
} from 'doorward';
import {
  type SeedData,
  create,
  read,
  remove,
  seed,
  update,
  withTables,
  type World,
} from '../../factories';
import { startTestApp } from '../../support';
import type { Query } from '../../support/scenarios';

@Collection('folders')
class Folder {
  @Field.key('integer') id!: number;
  @Field.text({ unique: true }) name!: string;
  @Field.toOne('folders', { nullable: true, onDelete: 'CASCADE' }) parent!: number | null;
  @Field.toMany('folders', 'parent') folders!: number[];
  @Field.toMany('files', 'folder') files!: number[];
  @Field.manyToMany('labels') labels!: string[];
  @Field.toOne('service_users', { nullable: true, onDelete: 'SET NULL' }) owner!: string | null;
  @Field.timestamp({ nullable: true, deletedAt: true }) deleted_at!: Date | null;
}

@Collection('files')
class File {
  @Field.key('uuid') id!: string;
  @Field.text() name!: string;
  @Field.toOne('folders', { onDelete: 'CASCADE' }) folder!: number;
  @Field.toOne('folders', { nullable: true, unique: true }) home!: number | null;
  @Field.timestamp({ nullable: true, deletedAt: true }) gone!: Date | null;
  @Field.integer({ version: true, default: 1 }) version!: number;
  @Field.timestamp({ updatedAt: true, nullable: true }) changed_at!: Date | null;
  @Field.toOne('service_users', { updatedBy: true, nullable: true }) changed_by!: string | null;
}

/** Deleted without being kept; refers to folders with each kind of `onDelete`. */
@Collection('pins')
class Pin {
  @Field.key('integer') id!: number;
  @Field.toOne('folders', { nullable: true, onDelete: 'CASCADE' }) with!: number | null;
  @Field.toOne('folders', { nullable: true, onDelete: 'SET NULL' }) near!: number | null;
  @Field.toOne('folders', { nullable: true }) holds!: number | null;
}

@Collection('labels')
class Label {
  @Field.key('integer') id!: number;
  @Field.text() name!: string;
  @Field.manyToMany('folders', 'labels') folders!: number[];
}

/** The calls of the hooks of folders, in order. */
export const heard: string[] = [];

@HooksOf(Folder)
class FolderHooks implements CollectionHooks {
  beforeUpdate(payload: Payload): Payload {
    heard.push('update');
    return payload;
  }

  beforeDelete(keys: readonly Key[]): void {
    heard.push(`before delete ${keys.join()}`);
  }

  afterDelete(keys: readonly Key[]): void {
    heard.push(`after delete ${keys.join()}`);
  }

  afterCommit({ action, keys }: Change): void {
    heard.push(`committed ${action} ${keys.join()}`);
  }
}

@Module({
  imports: [CollectionsModule.forFeature([Folder, File, Pin, Label])],
  providers: [FolderHooks],
})
class FoldersModule {}

const TABLES = ['folders', 'files', 'pins', 'labels', 'folders_labels'] as const;
const LIVELY = ['folders', 'files', 'pins', 'labels'] as const;
const mine = { owner: { _eq: '$CURRENT_USER' } } as const;

/** Ann may do everything; Bob deletes his own folders, and reads all except Secret, but not when they were deleted. */
const SEED: SeedData = {
  policies: {
    keeping: [
      read('service_users', ['first_name']),
      ...LIVELY.flatMap((name) => [
        read(name, ['*']),
        create(name, ['*']),
        update(name, ['*']),
        remove(name),
      ]),
    ],
    filing: [
      read('folders', ['name', 'parent', 'files', 'labels'], { name: { _neq: 'Secret' } }),
      read('files', ['name', 'folder']),
      read('labels', ['*']),
      create('files', ['*']),
      remove('folders', mine),
    ],
    counting: [read('folders', ['name', 'files'], { files: { _some: {} } })],
    born: [
      create('pins', ['with'], {}, { presets: { near: 2 } }),
      read('pins', ['id']),
      read('folders', ['name']),
    ],
  },
  users: {
    ann: { policies: ['keeping'] },
    bob: { policies: ['filing'] },
    cy: { policies: ['counting'] },
    dee: { policies: ['born'] },
  },
};

const GONE = '2024-02-03T04:05:06.000Z';

/**
 * Root (1) contains Open (3) and Bob’s deleted Old (2). Secret (4) is also Bob’s and deleted; Hers (5) is Ann’s and
 * deleted. A pin refers to Held (6). Files: a in Root, b in Root but deleted, and c, which is not deleted although its
 * folder Old is, as SQL may leave it.
 */
const ROWS = [
  `INSERT INTO folders (id, name, parent, owner, deleted_at) VALUES (1, 'Root', NULL, NULL, NULL),
     (2, 'Old', 1, $1, '${GONE}'), (3, 'Open', 1, $1, NULL), (4, 'Secret', NULL, $1, '${GONE}'), (5, 'Hers', NULL, $2, '${GONE}'), (6, 'Held', NULL, NULL, NULL)`,
  `INSERT INTO pins (id, "with", near, holds) VALUES (1, 3, NULL, NULL), (2, NULL, 3, NULL), (3, NULL, NULL, 6)`,
  `INSERT INTO files (id, name, folder, home, gone) VALUES ('${'0'.repeat(8)}-0000-4000-8000-00000000000a', 'a', 1, 3, NULL),
     ('${'0'.repeat(8)}-0000-4000-8000-00000000000b', 'b', 1, 1, '${GONE}'), ('${'0'.repeat(8)}-0000-4000-8000-00000000000c', 'c', 2, NULL, NULL)`,
  `INSERT INTO labels (id, name) VALUES (1, 'red')`,
  `INSERT INTO folders_labels (folders_id, labels_id) VALUES (1, 1), (2, 1)`,
  `SELECT setval(pg_get_serial_sequence('folders', 'id'), 9)`,
];

export const FILES = {
  a: `${'0'.repeat(8)}-0000-4000-8000-00000000000a`,
  b: `${'0'.repeat(8)}-0000-4000-8000-00000000000b`,
  c: `${'0'.repeat(8)}-0000-4000-8000-00000000000c`,
} as const;

export const openFolders = async (): Promise<World> => {
  const app = await startTestApp({ imports: [FoldersModule], synchronize: true });
  const world = await seed(app, SEED);
  for (const row of ROWS) {
    const values = ['$1', '$2'].flatMap((name, at) =>
      row.includes(name) ? [world.id(['bob', 'ann'][at] ?? '')] : [],
    );
    await world.app.database.query(row, values);
  }
  return withTables(world, TABLES);
};

export const list = (query: Query = {}) =>
  ({ operation: 'list', query: { fields: ['id'], ...query } }) as const;
export const one = (id: number, query: Query = {}) =>
  ({ operation: 'one', id, query: { fields: ['id'], ...query } }) as const;
export const drop = (id: number | string) => ({ operation: 'delete', id }) as const;
export const ids = (...keys: readonly number[]) => ({ gives: keys.map((id) => ({ id })) });
