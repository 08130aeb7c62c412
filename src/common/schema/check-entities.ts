import { getMetadataArgsStorage } from 'typeorm';
import { collectionName, targetName } from './collection-name';
import {
  declaredTwice,
  type EntityClass,
  type FieldDeclaration,
  declaredFields,
  type TargetReference,
} from './field-declaration';
import { checkChoices } from './check-choices';
import { checkDefault } from './check-default';
import { checkDecorators } from './check-decorators';
import { checkExtensions } from './check-extensions';
import { classesOf, type Extension } from './extension';
import { LONGEST_NAME } from './name-length';
import { RegistrationError } from './registration-error';

/**
 * Names that are valid in both transports: operators begin with `_`, variables with `$`, and paths are separated by
 * dots.
 */
const NAME = /^[A-Za-z][A-Za-z0-9_]*$/;
/** GraphQL uses these names for functions of a field in filters, and for relations in answers. */
const TAKEN = /^rel_|_func$/;

/**
 * Checks the declared fields of entities before anything is built from them.
 * @param entities all of them; those without described fields are not collections
 * @param extensions what modules add to them
 * @throws RegistrationError with a sentence that says what to do
 */
export function checkEntities(
  entities: readonly EntityClass[],
  extensions: readonly Extension[] = [],
): void {
  const described = entities.filter((entity) => declaredFields(entity).size > 0);
  const names = new Set(described.map(collectionName));
  for (const entity of described) {
    const fault = nameFault(collectionName(entity));
    if (fault !== undefined) {
      throw new RegistrationError(`${entity.name} is called ${collectionName(entity)}: ${fault}.`);
    }
    checkKey(entity);
    checkDecorators(entity);
    checkFields(entity, names);
  }
  for (const { fields } of extensions) {
    checkDecorators(fields);
    checkFields(fields, names);
  }
  checkExtensions(extensions, entities);
}

function checkFields(entity: EntityClass, names: ReadonlySet<string>): void {
  for (const [field, declaration] of declaredFields(entity)) {
    checkName(entity, field);
    checkChoices(entity, field, declaration);
    checkDefault(entity, field, declaration);
    for (const target of targetsOf(declaration)) checkTarget(entity, field, target, names);
  }
}

function checkKey(entity: EntityClass): void {
  const keys = [...declaredFields(entity)].filter(
    ([, field]) => field.kind === 'column' && field.key === true,
  );
  if (keys.length === 1) return;
  const [unexposed] = keys.length === 0 ? typeormKeys(entity) : [];
  if (unexposed !== undefined) {
    throw new RegistrationError(
      `${entity.name}.${unexposed} is the key, and no field: add @Field.expose() to it.`,
    );
  }
  throw new RegistrationError(
    keys.length === 0
      ? `${entity.name} has no key: decorate one property with @Field.key('integer') or @Field.key('uuid').`
      : `${entity.name} has the keys ${keys.map(([name]) => name).join(' and ')}: a row is addressed by one, so keep one @Field.key.`,
  );
}

const typeormKeys = (entity: EntityClass): string[] =>
  getMetadataArgsStorage()
    .columns.filter(
      ({ target, options }) => classesOf(entity).includes(target) && options.primary === true,
    )
    .map(({ propertyName }) => propertyName);

function checkName(entity: EntityClass, field: string): void {
  const place = `${entity.name}.${field}`;
  if (declaredTwice(entity.prototype as object).includes(field)) {
    throw new RegistrationError(
      `${place} has two decorators of Field: keep the one that describes the column.`,
    );
  }
  const fault = nameFault(field);
  if (fault !== undefined) {
    throw new RegistrationError(`${place} cannot be named by a query: ${fault}.`);
  }
  if (TAKEN.test(field)) {
    throw new RegistrationError(
      `${place} has a name that GraphQL needs: it must not begin with rel_ or end in _func.`,
    );
  }
}

function nameFault(name: string): string | undefined {
  if (!NAME.test(name)) return 'use letters, digits and _, a letter first';
  return name.length > LONGEST_NAME ? `use ${LONGEST_NAME} characters at most` : undefined;
}

const targetsOf = (declaration: FieldDeclaration): TargetReference[] => {
  if (declaration.kind === 'column' || declaration.kind === 'computed') return [];
  const through =
    declaration.kind === 'many-to-many' && declaration.junction
      ? [declaration.junction.collection]
      : [];
  return [declaration.target, ...through];
};

function checkTarget(
  entity: EntityClass,
  field: string,
  target: TargetReference,
  names: ReadonlySet<string>,
): void {
  if (typeof target !== 'string' && typeof target() !== 'function') {
    throw new RegistrationError(
      `${entity.name}.${field} refers to nothing: its module and another import each other, so name the collection instead, as in @Field.toOne('invoices').`,
    );
  }
  if (names.has(targetName(target))) return;
  throw new RegistrationError(
    `${entity.name}.${field} refers to ${targetName(target)}, which no module registers: add its entity to a CollectionsModule.forFeature([…]).`,
  );
}
