import { isExisting } from './collection.decorator';
import { classesOf } from './extension';
import { type EntityClass, isExposed } from './field-declaration';

/** What TypeORM keeps of a decorator: the class, or the name, that it stands in, and the property. */
interface Decorated {
  readonly target?: unknown;
  readonly propertyName: string;
}

/** Whether a decorator stands in the entity or in one of its base classes. */
export const belongsTo =
  (entity: EntityClass) =>
  ({ target }: { readonly target?: unknown }): boolean =>
    classesOf(entity).includes(target);

/**
 * Whether a decorator is checked: it belongs to the entity, and requests reach its property. Of an existing table, what
 * is not exposed serves the team's own data source alone, and works there as before.
 */
export const isChecked =
  (entity: EntityClass) =>
  (declared: Decorated): boolean =>
    belongsTo(entity)(declared) &&
    (!isExisting(entity) || isExposed(entity, declared.propertyName));
