import { getMetadataArgsStorage } from 'typeorm';
import { isChecked } from './checked-properties';
import { transformerFault } from './class-transformer';
import { validatorFault } from './class-validator';
import { columnFault, overriddenFault, sharedColumnFault, tableFault } from './column-faults';
import type { EntityClass } from './field-declaration';
import { RegistrationError } from './registration-error';
import { relationFault } from './relation-faults';

/**
 * Refuses decorators of TypeORM, class-validator and class-transformer that would silently have no effect.
 * @throws RegistrationError that names the property and what to use
 */
export function checkDecorators(entity: EntityClass): void {
  const fault =
    tableFault(entity) ??
    columnFault(entity) ??
    overriddenFault(entity) ??
    sharedColumnFault(entity) ??
    relationFault(entity) ??
    listenerFault(entity) ??
    embeddedFault(entity) ??
    validatorFault(entity) ??
    transformerFault(entity, (propertyName) => isChecked(entity)({ target: entity, propertyName }));
  if (fault !== undefined) throw new RegistrationError(`${entity.name}${fault}`);
}

function listenerFault(entity: EntityClass): string | undefined {
  const listener = getMetadataArgsStorage().entityListeners.find(isChecked(entity));
  if (!listener) return undefined;
  const decorator = listener.type.replace(/(?:^|-)([a-z])/g, (_, letter: string) =>
    letter.toUpperCase(),
  );
  return `.${listener.propertyName} has @${decorator}, which never runs: write a class of hooks with @HooksOf(${entity.name}) instead.`;
}

function embeddedFault(entity: EntityClass): string | undefined {
  const embedded = getMetadataArgsStorage().embeddeds.find(isChecked(entity));
  return embedded
    ? `.${embedded.propertyName} embeds the columns of another class, which no query can name: declare each as a field of its own, with { column }.`
    : undefined;
}
