import type { EntityMetadata } from 'typeorm';
import { RegistrationError } from '../common/schema';

type Index = EntityMetadata['indices'][number];

/**
 * The name of an index does not tell the order of its columns, nor its condition: of two that only differ in these, one
 * needs a name of its own.
 * @throws RegistrationError
 */
export function checkIndexNames({ name: entity, indices }: EntityMetadata): void {
  const seen = new Map<string, Index>();
  for (const index of indices.filter(({ givenName }) => givenName === undefined)) {
    const other = seen.get(index.name);
    if (other && wording(other) !== wording(index)) {
      throw new RegistrationError(
        `${entity} has two indexes on ${propertiesOf(index)}, which would have the same name ${index.name}: give the newer one another, as in @Index('…', […]).`,
      );
    }
    seen.set(index.name, index);
  }
}

const wording = ({ columns, where = '' }: Index): string =>
  [...columns.map(({ databaseName }) => databaseName), where].join();

const propertiesOf = ({ columns }: Index): string =>
  columns.map(({ propertyName }) => propertyName).join(' and ');
