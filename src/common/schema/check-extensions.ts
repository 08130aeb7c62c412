import { getMetadataArgsStorage } from 'typeorm';
import { collectionName } from './collection-name';
import { classesOf, type Extension, storedOf } from './extension';
import { collectionOf, declaredFields, type EntityClass } from './field-declaration';
import { RegistrationError } from './registration-error';

/**
 * Collections that a team may add fields to. The others hold rights or the log, whose fields are compared and exported
 * as a whole.
 */
const EXTENDABLE = ['service_users', 'service_roles', 'service_settings'];

/** Names that a change to one's own user has for re-authentication; no field may have them. */
const REAUTHENTICATION_FIELDS = ['current_password', 'otp'];

/**
 * Checks what modules add to collections of the service.
 * @param entities all entities
 * @throws RegistrationError with a sentence that says what to do
 */
export function checkExtensions(
  extensions: readonly Extension[],
  entities: readonly EntityClass[],
): void {
  for (const extension of extensions) checkExtension(extension, extensions, entities);
}

function checkExtension(
  { collection, fields }: Extension,
  extensions: readonly Extension[],
  entities: readonly EntityClass[],
): void {
  const entity = entities.find((each) => isCalled(each, collection));
  if (!entity || !EXTENDABLE.includes(collection)) {
    throw new RegistrationError(
      `${fields.name} cannot extend ${collection}: fields can be added to ${EXTENDABLE.join(', ')}.`,
    );
  }
  if (collectionOf(fields).name !== undefined || isEntity(fields)) {
    throw new RegistrationError(
      `${fields.name} is a collection and cannot extend ${collection}: use a plain class.`,
    );
  }
  if (declaredFields(fields).size === 0) {
    throw new RegistrationError(
      `${fields.name} adds no field to ${collection}: decorate its properties with Field, as in @Field.text({ nullable: true }).`,
    );
  }
  for (const name of declaredFields(fields).keys()) {
    checkAdded({ collection, fields }, name);
    refuseTaken({ collection, fields }, name, entity, extensions);
  }
}

/** The service creates users and roles itself, and has no value for such a field. */
function checkAdded({ collection, fields }: Extension, name: string): void {
  const declaration = declaredFields(fields).get(name);
  const place = `${fields.name}.${name}`;
  if (declaration?.kind === 'column' && declaration.key) {
    throw new RegistrationError(
      `${place} is a key, but ${collection} already has one: declare another kind of field.`,
    );
  }
  if (collection === 'service_users' && REAUTHENTICATION_FIELDS.includes(name)) {
    throw new RegistrationError(
      `${place} has a name that is reserved for re-authentication: rename it.`,
    );
  }
  const stored = storedOf(fields, name);
  if (!stored || stored.nullable || stored.filled) return;
  throw new RegistrationError(
    `${place} must be nullable or have a default: ${collection} already has rows, and the service creates some itself.`,
  );
}

function refuseTaken(
  { collection, fields }: Extension,
  name: string,
  entity: EntityClass,
  extensions: readonly Extension[],
): void {
  const place = `${fields.name}.${name}`;
  const column = storedOf(fields, name)?.column;
  const names = column === undefined ? [name] : [name, column];
  if (names.some((each) => ownNames(entity).has(each))) {
    throw new RegistrationError(
      `${place} has the name of a field that ${collection} already has: rename it.`,
    );
  }
  const others = extensions.filter((each) => each.collection === collection);
  const other = others.find((each) => each.fields !== fields && addsOneOf(each.fields, names));
  if (other) {
    throw new RegistrationError(
      `${fields.name} and ${other.fields.name} both add ${name} to ${collection}: rename one of them.`,
    );
  }
}

const addsOneOf = (fields: EntityClass, names: readonly string[]): boolean =>
  [...declaredFields(fields).keys()].some((name) =>
    [name, storedOf(fields, name)?.column].some(
      (each) => each !== undefined && names.includes(each),
    ),
  );

/** Includes columns that are not exposed. */
function ownNames(entity: EntityClass): ReadonlySet<string> {
  const chain = classesOf(entity);
  const { columns, relations } = getMetadataArgsStorage();
  const properties = [...columns, ...relations].flatMap(({ target, propertyName }) =>
    chain.includes(target) ? propertyName : [],
  );
  const names = properties.flatMap((name) => [name, storedOf(entity, name)?.column ?? name]);
  return new Set([...declaredFields(entity).keys(), ...names]);
}

const isEntity = (fields: EntityClass): boolean =>
  getMetadataArgsStorage().tables.some(({ target }) => target === fields);

const isCalled = (entity: EntityClass, collection: string): boolean =>
  declaredFields(entity).size > 0 && collectionName(entity) === collection;
