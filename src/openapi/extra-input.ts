import type { JsonSchema } from '../common/request/describe.decorator';
import { FLAG, listOf, TEXT } from '../common/request/json-schema';

type Properties = Readonly<Record<string, JsonSchema>>;

/** A change of one's own e-mail or password needs the current password or a code. */
const REAUTHENTICATION: Properties = {
  current_password: { ...TEXT, description: 'For one’s own e-mail or password: the one so far.' },
  otp: { ...TEXT, description: 'The same by a one-time password or a recovery code.' },
};

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

const EXTRA: Readonly<Record<string, Readonly<Partial<Record<'create' | 'update', Properties>>>>> =
  {
    service_users: { update: REAUTHENTICATION },
    service_permissions: { create: FLAGS, update: FLAGS },
  };

/** Properties of a body beside the fields of the collection. */
export const extraInput = (collection: string, action: 'create' | 'update'): Properties =>
  EXTRA[collection]?.[action] ?? {};
