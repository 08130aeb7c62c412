import type { DataSource } from 'typeorm';
import type { PostgresDriver } from 'typeorm/driver/postgres/PostgresDriver.js';
import type { CollectionShape, FieldShape, Schema, ToManyShape } from '../../engine';
import { type EntityClass, type Extension, RegistrationError } from '../../common/schema';
import { quote } from '../../database/quote';
import type { ForeignKey } from './column';
import type { StoredCollection } from './stored-collection';
import { readEntity } from './read-entity';
import { implicitJunctions } from './list-shape';

/** A foreign key to rows of some collection, with the collection that has it. */
export interface IncomingKey {
  readonly holder: StoredCollection;
  readonly key: ForeignKey;
}

/** A column that refers to rows of a collection that keeps deleted rows. */
export interface KeyToSoftDeleted {
  readonly key: ForeignKey;
  readonly target: StoredCollection;
}

/** What was determined for each table, by its path. */
class CachedByTable<T> extends Map<string, readonly T[]> {
  of(table: string, find: () => readonly T[]): readonly T[] {
    const found = this.get(table) ?? find();
    this.set(table, found);
    return found;
  }
}

/**
 * Every registered collection. Modules register their entities before the application serves requests; only this class
 * reads the metadata of TypeORM and of the field decorators.
 */
export class CollectionRegistry implements Schema {
  private readonly collections = new Map<string, StoredCollection>();
  private readonly junctions = new Map<string, StoredCollection>();
  private readonly changedWith = new CachedByTable<StoredCollection>();
  private readonly incomingKeys = new CachedByTable<IncomingKey>();
  private readonly outgoingKeys = new CachedByTable<KeyToSoftDeleted>();

  /**
   * @param extensions what modules add to the entities of others
   * @param logFault logs mistakes in a team's declarations that do not prevent the start
   */
  constructor(
    private readonly source: DataSource,
    private readonly extensions: readonly Extension[] = [],
    readonly logFault: (message: string, error: unknown) => void = () => undefined,
  ) {}

  /** @throws RegistrationError for an entity that cannot be a collection */
  register(entity: EntityClass): StoredCollection {
    const collection = readEntity(this.source, entity, this.extensions);
    const known = this.collections.get(collection.name);
    if (known && known.entity !== entity) {
      throw new RegistrationError(
        `The collection ${collection.name} is registered twice, by ${known.entity?.name} and ${entity.name}: give one of them another name.`,
      );
    }
    this.refuseSharedTable(collection);
    this.collections.set(collection.name, collection);
    for (const cache of [this.changedWith, this.incomingKeys, this.outgoingKeys]) cache.clear();
    const lists = [...collection.fields.values()].filter(
      (field): field is ToManyShape => field.kind === 'to-many',
    );
    for (const junction of implicitJunctions(this.source.getMetadata(entity), lists)) {
      this.junctions.set(junction.name, junction);
    }
    return collection;
  }

  /** Rules apply to a collection: a second collection on the same table would bypass them. */
  private refuseSharedTable({ table, name }: StoredCollection): void {
    const place = this.placeOf(table);
    for (const other of this.collections.values()) {
      if (other.name === name || this.placeOf(other.table) !== place) continue;
      throw new RegistrationError(
        `The collections ${other.name} and ${name} are both on the table ${table}: keep one of them.`,
      );
    }
  }

  /** One canonical name for a table: without its schema where the search path leads to that schema. */
  private placeOf(table: string): string {
    const { searchSchema = 'public' } = this.source.driver as PostgresDriver;
    const here = `${quote(searchSchema)}.`;
    return table.startsWith(here) ? table.slice(here.length) : table;
  }

  get(name: string): StoredCollection | undefined {
    return this.collections.get(name);
  }

  all(): Iterable<CollectionShape> {
    return this.collections.values();
  }

  /** A collection, or the junction table of a many-to-many, that a described field leads to. */
  table(name: string): StoredCollection {
    const table = this.collections.get(name) ?? this.junctions.get(name);
    if (!table) {
      throw new RegistrationError(
        `A relation leads to ${name}, which no module registers: add its entity to a CollectionsModule.forFeature([…]).`,
      );
    }
    return table;
  }

  /** The collections whose rows the database deletes or changes with rows of this one. */
  collectionsChangedWith({ table }: StoredCollection): readonly StoredCollection[] {
    return this.changedWith.of(table, () =>
      [...this.collections.values()].filter(({ references }) =>
        references.some((each) => each.table === table),
      ),
    );
  }

  /** Every column of any collection that refers to rows of this one. */
  keysTo({ table }: StoredCollection): readonly IncomingKey[] {
    return this.incomingKeys.of(table, () =>
      [...this.collections.values()].flatMap((holder) =>
        holder.foreignKeys.filter((key) => key.table === table).map((key) => ({ holder, key })),
      ),
    );
  }

  /**
   * The collection's columns that refer to rows of collections that keep deleted rows: the database accepts deleted
   * ones too.
   */
  keysToSoftDeleted({ table, foreignKeys }: StoredCollection): readonly KeyToSoftDeleted[] {
    return this.outgoingKeys.of(table, () =>
      foreignKeys.flatMap((key) => {
        const target = [...this.collections.values()].find((each) => each.table === key.table);
        return target?.deletedAt === undefined ? [] : [{ key, target }];
      }),
    );
  }

  /** @throws RegistrationError where a relation leads to something missing, or does not lead back */
  validate(): void {
    for (const collection of this.collections.values()) {
      for (const field of collection.fields.values()) {
        if (field.kind === 'column') continue;
        this.refuseView(collection, field);
        if (field.kind === 'to-many') this.validateList(collection, field);
      }
    }
  }

  /** PostgreSQL allows no foreign key that refers to a view. */
  private refuseView({ name, entity }: StoredCollection, field: FieldShape): void {
    if (field.kind === 'column' || !this.table(field.target).view || !entity) return;
    const relation = this.source.getMetadata(entity).findRelationWithPropertyPath(field.name);
    if (field.kind !== 'to-one' || relation?.createForeignKeyConstraints === false) return;
    throw new RegistrationError(
      `${name}.${field.name} leads to the view ${field.target}, which no constraint can refer to: add { constraint: false }.`,
    );
  }

  private validateList(
    { name }: StoredCollection,
    { name: list, target, ...how }: ToManyShape,
  ): void {
    const { foreignKey, through } = how;
    if (foreignKey !== undefined) this.validateKey(`${name}.${list}`, target, foreignKey, name);
    if (!through || this.table(through.collection).entity === null) return;
    this.validateKey(`${name}.${list}`, through.collection, through.foreignKey, name);
    this.validateKey(`${name}.${list}`, through.collection, through.targetForeignKey, target);
  }

  private validateKey(list: string, holder: string, field: string, target: string): void {
    const key = this.table(holder).fields.get(field);
    if (key?.kind === 'to-one' && key.target === target) return;
    throw new RegistrationError(
      `${list} is a list through ${holder}.${field}, which is not a to-one field that leads to ${target}: name the field that does.`,
    );
  }
}
