import { collectionName, targetName } from './collection-name';
import {
  describedTwice,
  type EntityClass,
  type FieldDescription,
  fieldsOf,
  type TargetReference,
} from './field-description';
import { RegistrationError } from './registration-error';

/** Names that both transports can speak: filters begin theirs with `_` and `$`, paths are parted by dots. */
const NAME = /^[A-Za-z][A-Za-z0-9_]{0,62}$/;
/** GraphQL's filters call the functions of a field so, and its answers the relations. */
const TAKEN = /^rel_|_func$/;

/**
 * Checks what entities say of their fields before anything is made of them.
 * @param entities all that there are; those without described fields are no collections
 * @throws RegistrationError with a sentence that says what to do
 */
export function checkEntities(entities: readonly EntityClass[]): void {
  const described = entities.filter((entity) => fieldsOf(entity).size > 0);
  const names = new Set(described.map(collectionName));
  for (const entity of described) {
    if (!NAME.test(collectionName(entity))) {
      throw new RegistrationError(
        `${entity.name} is called ${collectionName(entity)}: use letters, digits and _, a letter first.`,
      );
    }
    checkKey(entity);
    for (const [field, description] of fieldsOf(entity)) {
      checkName(entity, field);
      checkChoices(entity, field, description);
      for (const target of targetsOf(description)) checkTarget(entity, field, target, names);
    }
  }
}

function checkKey(entity: EntityClass): void {
  const keys = [...fieldsOf(entity)].filter(
    ([, field]) => field.kind === 'column' && field.key === true,
  );
  if (keys.length === 1) return;
  throw new RegistrationError(
    keys.length === 0
      ? `${entity.name} describes no key: decorate one property with @Field.key('integer') or @Field.key('uuid').`
      : `${entity.name} has the keys ${keys.map(([name]) => name).join(' and ')}: a row is addressed by one, so keep one @Field.key.`,
  );
}

function checkName(entity: EntityClass, field: string): void {
  const place = `${entity.name}.${field}`;
  if (describedTwice(entity.prototype as object).includes(field)) {
    throw new RegistrationError(
      `${place} has two of the decorators of Field: keep the one that says what the column is.`,
    );
  }
  if (!NAME.test(field)) {
    throw new RegistrationError(
      `${place} cannot be named by a query: use letters, digits and _, a letter first.`,
    );
  }
  if (TAKEN.test(field)) {
    throw new RegistrationError(
      `${place} has a name that GraphQL needs: let it neither begin with rel_ nor end in _func.`,
    );
  }
}

function checkChoices(entity: EntityClass, field: string, description: FieldDescription): void {
  if (description.kind !== 'column' || description.choices) return;
  if (description.type !== 'enum' && description.element !== 'enum') return;
  throw new RegistrationError(
    `${entity.name}.${field} could hold nothing: say which words there are, as @Field.array('enum', { choices: […] }).`,
  );
}

const targetsOf = (description: FieldDescription): TargetReference[] => {
  if (description.kind === 'column') return [];
  const through =
    description.kind === 'many-to-many' && description.junction
      ? [description.junction.collection]
      : [];
  return [description.target, ...through];
};

function checkTarget(
  entity: EntityClass,
  field: string,
  target: TargetReference,
  names: ReadonlySet<string>,
): void {
  if (names.has(targetName(target))) return;
  throw new RegistrationError(
    `${entity.name}.${field} leads to ${targetName(target)}, which no module registers: add its entity to a CollectionsModule.forFeature([…]).`,
  );
}
