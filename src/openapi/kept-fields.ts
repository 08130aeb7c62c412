import type { JsonSchema } from '../common/request/describe.decorator';
import { FLAG, INSTANT, orNull } from '../common/request/json-schema';
import { CONCEALED } from '../repository';

type Action = 'create' | 'update';

/** What is sent for fields by name; null: nothing. */
type Kept = Readonly<Record<string, JsonSchema | null>>;

/** An update may send back what it has read. */
const asRead = (schema: JsonSchema): JsonSchema => ({
  ...schema,
  description: 'Read-only: taken as it was read, and otherwise refused.',
});

const SECRET: JsonSchema = { type: ['string', 'null'], enum: [CONCEALED, null] };

/** Fields that hooks keep bodies from setting, by collection. */
const KEPT: Readonly<Record<string, Readonly<Record<Action, Kept>>>> = {
  service_users: {
    create: { tfa_secret: SECRET, last_access: { type: 'null' }, date_created: null },
    update: {
      tfa_secret: { ...SECRET, description: 'Null switches two-factor authentication off.' },
      last_access: asRead(orNull(INSTANT)),
      date_created: asRead(INSTANT),
    },
  },
  service_permissions: { create: { asleep: null }, update: { asleep: asRead(FLAG) } },
};

/**
 * What is sent for a field that hooks keep bodies from setting.
 * @returns null where nothing is; undefined for any other field
 */
export const keptInput = (
  collection: string,
  action: Action,
  field: string,
): JsonSchema | null | undefined => KEPT[collection]?.[action][field];
