import type { EntityClass, FieldDeclaration } from './field-declaration';
import { defaultOf } from './check-default';
import { RegistrationError } from './registration-error';

/**
 * @throws RegistrationError where an enum field has no choices, where a field that is neither an enum nor a list of text
 * has some, or where the default is not one of them
 */
export function checkChoices(
  entity: EntityClass,
  field: string,
  declaration: FieldDeclaration,
): void {
  if (declaration.kind !== 'column') return;
  const { type, element, choices } = declaration;
  const isEnum = type === 'enum' || element === 'enum';
  if (!isEnum && !choices) return;
  const place = `${entity.name}.${field}`;
  if (!isEnum && element !== 'text') {
    throw new RegistrationError(
      `${place} has choices, which only lists of 'text' and 'enum' have: leave them out.`,
    );
  }
  if (!choices || choices.length === 0) {
    const written =
      type === 'enum'
        ? "@Field.enum(['open', …])"
        : `@Field.array('${element ?? 'enum'}', { choices: […] })`;
    throw new RegistrationError(`${place} has no choices: list them, as in ${written}.`);
  }
  const invalid = [defaultOf(entity, field)].flat().find((word) => isNotAmong(word, choices));
  if (invalid === undefined) return;
  throw new RegistrationError(
    `${place} has the default ${invalid}, which is not one of its choices: ${choices.join(', ')}.`,
  );
}

const isNotAmong = (word: unknown, choices: readonly string[]): word is string =>
  typeof word === 'string' && !choices.includes(word);
