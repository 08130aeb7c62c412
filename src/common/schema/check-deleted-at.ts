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
      `${entity.name} has two fields with deletedAt, ${field} and ${second}: keep one.`,
    );
  }
  if (collectionOf(entity).singleton) {
    throw new RegistrationError(
      `${place} would never be set, since a singleton's row cannot be deleted: remove deletedAt.`,
    );
  }
  if (collectionName(entity).startsWith('service_')) {
    throw new RegistrationError(
      `${place} is not possible: collections of the service do not keep deleted rows, so remove deletedAt.`,
    );
  }
  const declaration = fields.get(field);
  const isFilled = declaration?.kind === 'column' && declaration.filled;
  if (isFilled || !isNullable(field)) {
    throw new RegistrationError(
      `${place} must be null until the row is deleted: make it nullable, without a default.`,
    );
  }
}
