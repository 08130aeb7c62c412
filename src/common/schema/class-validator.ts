import { getMetadataStorage } from 'class-validator';
import { isChecked } from './checked-properties';
import type { EntityClass } from './field-declaration';

/** What to use instead of each decorator. */
const VALIDATORS: Readonly<Record<string, string>> = {
  isEmail: '{ email: true }',
  min: '{ min }',
  max: '{ max }',
  isPositive: '{ min }',
  matches: '{ pattern }',
  maxLength: '{ length }',
  isLength: '{ length }',
  isIn: 'Field.enum([…])',
  isEnum: 'Field.enum([…])',
  isUuid: 'Field.uuid()',
  isInt: 'Field.integer()',
  isBoolean: 'Field.boolean()',
  isOptional: '{ nullable: true }',
};

const HOOK = 'a hook (@HooksOf) that throws FailedValidation';

/** Reports class-validator decorators on an entity, which have no effect on what is written. */
export function validatorFault(entity: EntityClass): string | undefined {
  const validator = getMetadataStorage()
    .getTargetValidationMetadatas(entity, '', true, false)
    .find(({ propertyName }) => isChecked(entity)({ target: entity, propertyName }));
  if (!validator) return undefined;
  const name = validator.name ?? validator.type;
  const instead = VALIDATORS[name];
  const decorator = `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
  return `.${validator.propertyName} has @${decorator} of class-validator, which has no effect here: use ${instead ?? HOOK} instead.`;
}
