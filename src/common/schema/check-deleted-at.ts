import { collectionName } from './collection-name';
import {
  collectionOf,
  deletedAtFields,
  type EntityClass,
  type FieldDeclaration,
} from './field-declaration';
import { RegistrationError } from './registration-error';

/** @throws RegistrationError where an entity could not keep its deleted rows */
export function checkDeletedAt(
  entity: EntityClass,
  fields: ReadonlyMap<string, FieldDeclaration>,
  isNullable: (field: string) => boolean,
): void {
  const [field, second] = deletedAtFields(fields);
  if (field === undefined) return;
  const place = `${entity.name}.${field}`;
  if (second !== undefined) {
    throw new RegistrationError(
      `${entity.name} says by ${field} and by ${second} when a row was deleted: keep one deletedAt.`,
    );
  }
  if (collectionOf(entity).singleton) {
    throw new RegistrationError(
      `${place} would never be set, since a singleton's row is not deleted: leave deletedAt out.`,
    );
  }
  if (collectionName(entity).startsWith('service_')) {
    throw new RegistrationError(
      `${place} cannot be: rows of the service's own are really deleted, so leave deletedAt out.`,
    );
  }
  const declaration = fields.get(field);
  const isFilled = declaration?.kind === 'column' && declaration.filled;
  if (isFilled || !isNullable(field)) {
    throw new RegistrationError(
      `${place} must be empty while a row is there: let it be nullable, without a default.`,
    );
  }
}
