import type { DataSource } from 'typeorm';
import type { CollectionShape, Schema, ToManyShape } from '../../engine';
import { type EntityClass, RegistrationError } from '../../common/schema';
import type { StoredCollection } from './stored-collection';
import { readEntity } from './read-entity';
import { implicitJunctions } from './list-shape';

/**
 * Every collection there is. Modules register their entities before the application starts to serve; what TypeORM
 * and the field decorators know of an entity is read here and nowhere else.
 */
export class CollectionRegistry implements Schema {
  private readonly collections = new Map<string, StoredCollection>();
  private readonly junctions = new Map<string, StoredCollection>();
  private readonly referrers = new Map<string, readonly StoredCollection[]>();

  constructor(private readonly source: DataSource) {}

  /** @throws RegistrationError for an entity that cannot be a collection */
  register(entity: EntityClass): StoredCollection {
    const collection = readEntity(this.source, entity);
    const known = this.collections.get(collection.name);
    if (known && known.entity !== entity) {
      throw new RegistrationError(
        `The collection ${collection.name} is registered twice, by ${known.entity?.name} and ${entity.name}: give one of them another name.`,
      );
    }
    this.refuseSharedTable(collection);
    this.collections.set(collection.name, collection);
    this.referrers.clear();
    const lists = [...collection.fields.values()].filter(
      (field): field is ToManyShape => field.kind === 'to-many',
    );
    for (const junction of implicitJunctions(this.source.getMetadata(entity), lists)) {
      this.junctions.set(junction.name, junction);
    }
    return collection;
  }

  /** Rules are given for a collection: a second one on the same table would be a way round them. */
  private refuseSharedTable({ table, name }: StoredCollection): void {
    for (const other of this.collections.values()) {
      if (other.table !== table || other.name === name) continue;
      throw new RegistrationError(
        `The collections ${other.name} and ${name} are of one table, ${table}: keep one of them.`,
      );
    }
  }

  get(name: string): StoredCollection | undefined {
    return this.collections.get(name);
  }

  all(): Iterable<CollectionShape> {
    return this.collections.values();
  }

  /** A collection, or the junction table behind a many-to-many, that a described field leads to. */
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
  referring({ table }: StoredCollection): readonly StoredCollection[] {
    const known = this.referrers.get(table);
    if (known) return known;
    const found = [...this.collections.values()].filter(({ references }) =>
      references.some((each) => each.table === table),
    );
    this.referrers.set(table, found);
    return found;
  }

  /** @throws RegistrationError where a relation leads to what is not there, or does not lead back */
  validate(): void {
    for (const collection of this.collections.values()) {
      for (const field of collection.fields.values()) {
        if (field.kind === 'column') continue;
        this.table(field.target);
        if (field.kind === 'to-many') this.validateList(collection, field);
      }
    }
  }

  private validateList(
    { name }: StoredCollection,
    { name: list, target, ...how }: ToManyShape,
  ): void {
    const { foreignKey, through } = how;
    if (foreignKey !== undefined) this.validateKey(`${name}.${list}`, target, foreignKey, name);
    if (!through || this.table(through.collection).entity === null) return;
    this.validateKey(`${name}.${list}`, through.collection, through.near, name);
    this.validateKey(`${name}.${list}`, through.collection, through.far, target);
  }

  private validateKey(list: string, holder: string, field: string, target: string): void {
    const key = this.table(holder).fields.get(field);
    if (key?.kind === 'to-one' && key.target === target) return;
    throw new RegistrationError(
      `${list} is a list by ${holder}.${field}, which is no to-one field that leads to ${target}: name the one that does.`,
    );
  }
}
