import type { ColumnOptions } from 'typeorm';
import type { Limits } from '../../engine';
import type { FieldDeclaration, WritingOption } from './field-declaration';
import type {
  Bounded,
  FieldOptions,
  IntegerOptions,
  TextOptions,
  TimestampOptions,
  ToOneOptions,
} from './field-options';

/** Every option of some decorator that is not TypeORM's, with those that are. */
export type AnyOptions = FieldOptions &
  Bounded<number | string> &
  Pick<TimestampOptions, 'createdAt' | 'updatedAt' | 'deletedAt'> &
  Pick<ToOneOptions, 'createdBy' | 'updatedBy'> &
  Pick<IntegerOptions, 'version'> &
  Pick<TextOptions, 'pattern' | 'email'>;

interface SplitOptions {
  readonly stored: ColumnOptions;
  readonly concealed: boolean;
  /** The part of the declaration that does not depend on the kind of field. */
  readonly declared: Pick<FieldDeclaration, 'ownProfile' | 'adminOnly' | 'writing' | 'limits'>;
}

/** Separates the options of the column, for TypeORM, from those for the registry alone. */
export function splitOptions(options: AnyOptions): SplitOptions {
  const { concealed = false, ownProfile, adminOnly, min, max, pattern, email, ...others } = options;
  const { readOnly, writeOnce, createdAt, updatedAt, deletedAt, createdBy, updatedBy, ...rest } =
    others;
  const { version, column: name, ...stored } = rest;
  const limits = limitsOf({ min, max, pattern, email });
  const writing = enabledOptions({
    readOnly,
    writeOnce,
    createdAt,
    updatedAt,
    deletedAt,
    createdBy,
    updatedBy,
    version,
  });
  return {
    stored: { ...defaultFor(writing, stored), ...stored, ...(name !== undefined && { name }) },
    concealed,
    declared: {
      ...(ownProfile && { ownProfile }),
      ...(adminOnly && { adminOnly }),
      ...(writing.length > 0 && { writing }),
      ...(limits && { limits }),
    },
  };
}

const enabledOptions = (options: Record<WritingOption, boolean | undefined>): WritingOption[] =>
  (Object.keys(options) as WritingOption[]).filter((name) => options[name] === true);

function limitsOf({ min, max, pattern, email }: AnyOptions): Limits | undefined {
  const limits: Limits = {
    ...(min !== undefined && { min }),
    ...(max !== undefined && { max }),
    ...(pattern !== undefined && { pattern }),
    ...(email === true && { email }),
  };
  return Object.keys(limits).length > 0 ? limits : undefined;
}

/** A default for rows that exist when the column is added, and for those that SQL inserts. */
function defaultFor(
  writing: readonly WritingOption[],
  { nullable }: ColumnOptions,
): Pick<ColumnOptions, 'default'> {
  if (writing.includes('version')) return { default: 1 };
  const isMoment = writing.includes('createdAt') || writing.includes('updatedAt');
  return isMoment && nullable !== true ? { default: () => 'now()' } : {};
}
