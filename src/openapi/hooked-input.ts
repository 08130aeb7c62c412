import type { JsonSchema } from '../common/request/describe.decorator';
import { FLAG, INSTANT, OBJECT, orNull, TEXT } from '../common/request/json-schema';
import { CONCEALED } from '../repository';

type Action = 'create' | 'update';

/** The schemas of what may be sent, by field; null: the field cannot be sent. */
type Hooked = Readonly<Record<string, JsonSchema | null>>;

/** An update may send back what it has read. */
const asRead = (schema: JsonSchema): JsonSchema => ({
  ...schema,
  description: 'Read-only: accepted if unchanged, otherwise refused.',
});

const both = (fields: Hooked): Record<Action, Hooked> => ({ create: fields, update: fields });

const SECRET: JsonSchema = { type: ['string', 'null'], enum: [CONCEALED, null] };
const NETWORKS = { type: 'array', items: TEXT, description: 'Addresses and networks (CIDR).' };
const TAGS = orNull({ type: 'array', items: TEXT });
const RULE_PARTS = {
  fields: {
    type: ['array', 'string', 'null'],
    items: TEXT,
    description: 'The fields that it grants, as a list or separated by commas.',
  },
  permissions: orNull(OBJECT),
  validation: orNull(OBJECT),
  presets: orNull(OBJECT),
};

/** Fields for which hooks accept more or less than the columns would, by collection. */
const HOOKED: Readonly<Record<string, Readonly<Record<Action, Hooked>>>> = {
  service_users: {
    create: { tfa_secret: SECRET, last_access: { type: 'null' }, date_created: null, tags: TAGS },
    update: {
      tags: TAGS,
      tfa_secret: { ...SECRET, description: 'Null switches two-factor authentication off.' },
      last_access: asRead(orNull(INSTANT)),
      date_created: asRead(INSTANT),
    },
  },
  service_permissions: {
    create: { ...RULE_PARTS, asleep: null },
    update: { ...RULE_PARTS, asleep: asRead(FLAG) },
  },
  service_policies: both({ ip_access: orNull(NETWORKS) }),
  service_settings: both({ public_registration_email_filter: orNull(OBJECT) }),
};

/**
 * The schema of what may be sent for a field for which hooks accept more or less than its column would.
 * @returns null where it cannot be sent; undefined for any other field
 */
export const hookedInput = (
  collection: string,
  action: Action,
  field: string,
): JsonSchema | null | undefined => HOOKED[collection]?.[action][field];
