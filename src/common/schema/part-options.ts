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

/** Every option that some decorator takes and TypeORM is not told, with those that it is. */
export type AnyOptions = FieldOptions &
  Bounded<number | string> &
  Pick<TimestampOptions, 'createdAt' | 'updatedAt' | 'deletedAt'> &
  Pick<ToOneOptions, 'createdBy' | 'updatedBy'> &
  Pick<IntegerOptions, 'version'> &
  Pick<TextOptions, 'pattern' | 'email'>;

interface Parted {
  readonly stored: ColumnOptions;
  readonly concealed: boolean;
  /** What a declaration says, whatever its kind. */
  readonly said: Pick<FieldDeclaration, 'ownProfile' | 'writing' | 'limits'>;
}

/** Parts what TypeORM is told of a column from what only the registry is. */
export function partOptions(options: AnyOptions): Parted {
  const { concealed = false, ownProfile, min, max, pattern, email, ...others } = options;
  const { readOnly, writeOnce, createdAt, updatedAt, deletedAt, createdBy, updatedBy, ...rest } =
    others;
  const { version, column: name, ...stored } = rest;
  const limits = limitsOf({ min, max, pattern, email });
  const writing = saidOf({
    ...{ readOnly, writeOnce, createdAt, updatedAt, deletedAt, createdBy, updatedBy, version },
  });
  return {
    stored: { ...defaultFor(writing, stored), ...stored, ...(name !== undefined && { name }) },
    concealed,
    said: {
      ...(ownProfile && { ownProfile }),
      ...(writing.length > 0 && { writing }),
      ...(limits && { limits }),
    },
  };
}

const saidOf = (options: Record<WritingOption, boolean | undefined>): WritingOption[] =>
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

/** Rows that are there when the column comes, and those that SQL makes, have a value too. */
function defaultFor(
  writing: readonly WritingOption[],
  { nullable }: ColumnOptions,
): Pick<ColumnOptions, 'default'> {
  if (writing.includes('version')) return { default: 1 };
  const isMoment = writing.includes('createdAt') || writing.includes('updatedAt');
  return isMoment && nullable !== true ? { default: () => 'now()' } : {};
}
