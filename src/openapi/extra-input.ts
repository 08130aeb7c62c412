import type { JsonSchema } from '../common/request/describe.decorator';
import { FLAG, listOf, TEXT } from '../common/request/json-schema';
import { REAUTHENTICATION } from '../users';

type Properties = Readonly<Record<string, JsonSchema>>;

const flag = (means: string): JsonSchema => ({ ...FLAG, description: means });

/** Rules may also be written as flags. */
const FLAGS: Properties = {
  create: flag('May create items.'),
  read: flag('May read items.'),
  update: flag('May update items.'),
  delete: flag('May delete items.'),
  comment: flag('May post comments.'),
  role: { ...TEXT, description: 'The role that the rule applies to.' },
  status: { ...TEXT, description: 'The status that the rule applies to.' },
  read_field_blacklist: { ...listOf(TEXT), description: 'Fields that are not read.' },
  write_field_blacklist: { ...listOf(TEXT), description: 'Fields that are not written.' },
  status_blacklist: { ...listOf(TEXT), description: 'Statuses that are not used.' },
};

/** Fields of a rule that flags replace, so that a body with flags leaves them out. */
const COVERED_BY_FLAGS: Readonly<Record<string, readonly string[]>> = {
  service_permissions: ['action', 'policy'],
};

/** Whether other properties of a body may stand for a field that an item needs. */
export const isCoveredOtherwise = (collection: string, field: string): boolean =>
  COVERED_BY_FLAGS[collection]?.includes(field) === true;

/** `updateOne`: of one item by its key, beside those of every update. */
type Action = 'create' | 'update' | 'updateOne';

const EXTRA: Readonly<Record<string, Readonly<Partial<Record<Action, Properties>>>>> = {
  // A change of one's own e-mail or password needs the current password or a code.
  service_users: { updateOne: REAUTHENTICATION },
  service_permissions: { create: FLAGS, update: FLAGS },
};

/** Properties of a body beside the fields of the collection. */
export const extraInput = (collection: string, action: Action): Properties =>
  EXTRA[collection]?.[action] ?? {};
