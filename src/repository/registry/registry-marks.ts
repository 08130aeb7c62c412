import type { CollectionShape, FieldShape } from '../../engine';
import type { Database, Queries } from '../../database/database';
import { unquote } from '../../database/quote';
import { establishMarks, markKey, type Registered } from '../../database/marks/establish-marks';
import type { CurrentMarks } from './asleep';
import type { StoredCollection } from './stored-collection';
import type { CollectionRegistry } from './registry';

type Marks = ReadonlyMap<string, string>;

/** What the names of the registered collections mean in the database. */
export class RegistryMarks implements CurrentMarks {
  private marks: Marks = new Map();

  constructor(
    private readonly registry: CollectionRegistry,
    private readonly database: Database,
  ) {}

  async reload(tx?: Queries): Promise<void> {
    const establish = (open: Queries): Promise<Marks> => establishMarks(open, this.registered());
    // A comment waits for whoever vacuums or indexes the table, and a start must not fail because of that.
    const limits = { withoutTimeouts: true };
    this.marks = await (tx ? establish(tx) : this.database.transaction(establish, limits));
  }

  of(collection: string, name?: string): string | undefined {
    if (name === undefined) return this.marks.get(collection);
    const field = this.registry.get(collection)?.fields.get(name);
    // A computed field has no mark of its own: it exists as long as the table, and is not one of its columns.
    if (field?.kind === 'column' && field.computed) {
      const table = this.marks.get(collection);
      return table === undefined ? undefined : `${table} computed`;
    }
    if (field?.kind !== 'to-many') return this.marks.get(markKey(collection, name));
    const marks = columnsOf(field).map((column) => this.marks.get(markKey(...column)));
    return marks.includes(undefined) ? undefined : marks.join(' ');
  }

  private registered(): Registered[] {
    const names = new Set<string>();
    for (const { name, fields } of this.registry.all() as Iterable<CollectionShape>) {
      names.add(name);
      for (const field of fields.values()) {
        if (field.kind === 'to-many') for (const [of] of columnsOf(field)) names.add(of);
      }
    }
    return [...names].flatMap((name) => placesOf(this.registry.table(name)));
  }
}

/** The columns through which a list leads. */
function columnsOf(field: FieldShape & { kind: 'to-many' }): [collection: string, field: string][] {
  const { target, foreignKey, through } = field;
  if (foreignKey !== undefined) return [[target, foreignKey]];
  return through
    ? [
        [through.collection, through.foreignKey],
        [through.collection, through.targetForeignKey],
      ]
    : [];
}

const placesOf = ({ name, table: path, columns }: StoredCollection): Registered[] => [
  { collection: name, field: '', path, column: '' },
  ...[...columns].map(([field, { sql }]) => ({
    collection: name,
    field,
    path,
    column: unquote(sql),
  })),
];
