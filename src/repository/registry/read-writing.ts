import {
  CALLER_COLLECTIONS,
  compareValues,
  type FieldShape,
  isStored,
  isLinearPattern,
  LINEAR_PATTERN,
  type Limits,
  type Misfit,
  parseValue,
  type StoredField,
  type Value,
} from '../../engine';
import { type FieldDeclaration, RegistrationError } from '../../common/schema';
import { limitFault } from './limit-fault';

type Written = Pick<StoredField, 'limits' | 'writable' | 'filling'>;

/**
 * Who writes a field, and the limits of its values.
 * @param field as its column is
 * @param place `Invoice.number`
 * @param given the column's default: a literal, or a function that returns SQL
 * @throws RegistrationError where the options contradict each other or the column
 */
export function readWriting(
  field: StoredField,
  { writing = [], limits }: FieldDeclaration,
  place: string,
  given?: unknown,
): Written {
  const [option, second] = writing;
  if (second) {
    throw new RegistrationError(
      `${place} is ${writing.join(' and ')} at once: each says who writes it, so keep one.`,
    );
  }
  const isUser = option === 'createdBy' || option === 'updatedBy';
  if (isUser && !(field.kind === 'to-one' && field.target === CALLER_COLLECTIONS.user)) {
    throw new RegistrationError(
      `${place} is ${option}, but does not lead to a user: declare it as @Field.toOne('${CALLER_COLLECTIONS.user}', …).`,
    );
  }
  if (limits && option && option !== 'readOnly' && option !== 'writeOnce') {
    throw new RegistrationError(`${place} is ${option}, and so takes no bounds: remove them.`);
  }
  const bounded = limits && { limits: readLimits(field, limits, place) };
  refuseDefault({ ...field, ...bounded }, given, place);
  switch (option) {
    case undefined:
      return { ...bounded };
    case 'readOnly':
      return { ...bounded, writable: 'never' };
    case 'writeOnce':
      return { ...bounded, writable: 'once' };
    default:
      return { writable: 'never', filling: option };
  }
}

function readLimits(field: StoredField, limits: Limits, place: string): Limits {
  const { min, max, pattern, ...rest } = limits;
  const [least, most] = [min, max].map((bound) => readBound(field, bound, place));
  if (least !== undefined && most !== undefined && compareValues(field.type, least, most) > 0) {
    throw new RegistrationError(`${place} could hold no value: its min is greater than its max.`);
  }
  if (pattern !== undefined && !isLinearPattern(pattern)) {
    throw new RegistrationError(
      `${place} has a pattern that cannot be matched in linear time: write it as RE2 does, ${LINEAR_PATTERN}.`,
    );
  }
  return {
    ...rest,
    ...(least !== undefined && { min: least }),
    ...(most !== undefined && { max: most }),
    ...(pattern !== undefined && { pattern }),
  };
}

const NAMES = { gte: 'min', lte: 'max', regex: 'pattern', email: 'email' } as const;

/** Rows without the field would get a value that no client may send, or be refused for a field that nobody sent. */
function refuseDefault(field: StoredField, given: unknown, place: string): void {
  if (given === undefined || given === null || typeof given === 'function') return;
  const parsed = parseValue(field, given);
  if ('misfit' in parsed) return refuseBeyond(parsed, given, place);
  const fault = limitFault(field, parsed.value);
  if (!fault) return;
  throw new RegistrationError(
    `${place} has the default ${JSON.stringify(given)}, which its own ${NAMES[fault.type]} does not allow: change one of them.`,
  );
}

/** A default may be written otherwise than requests write the type: PostgreSQL reads it. */
function refuseBeyond({ misfit, reason }: Misfit, given: unknown, place: string): void {
  if (misfit !== 'range' && misfit !== 'length') return;
  throw new RegistrationError(
    `${place} has the default ${JSON.stringify(given)}, which its column cannot hold: it ${reason}.`,
  );
}

/** In its canonical form, like cells. */
function readBound(
  field: StoredField,
  bound: string | number | undefined,
  place: string,
): string | number | undefined {
  if (bound === undefined) return undefined;
  const parsed = parseValue(field, bound);
  if ('misfit' in parsed) {
    throw new RegistrationError(
      `${place} has a bound that is not a value of the field: it ${parsed.reason}.`,
    );
  }
  return parsed.value as Value & (string | number);
}

/** An update names the version it read by one field, so there can only be one. */
export function refuseTwoVersions(entity: string, fields: Iterable<FieldShape>): void {
  const versions = [...fields].filter((field) => isStored(field) && field.filling === 'version');
  if (versions.length < 2) return;
  throw new RegistrationError(
    `${entity} has the versions ${versions.map(({ name }) => name).join(' and ')}: an entity may have only one, so keep one.`,
  );
}
