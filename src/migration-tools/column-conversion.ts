import type { TableColumn } from 'typeorm';

/** How an existing column gets another type. */
interface Conversion {
  /** The part after `TYPE …`: an expression for the new value, or nothing where PostgreSQL needs none. */
  readonly using: string;
  /** Whether some values do not survive: they are rounded, or the statement fails. */
  readonly risky: boolean;
}

const TEXTS = ['text', 'character varying', 'character'];
/** Each type can hold every value of those before it. */
const WHOLE = ['smallint', 'integer', 'bigint', 'numeric'];
const NUMBERS = [...WHOLE, 'real', 'double precision'];
const MOMENTS = ['date', 'timestamp without time zone', 'timestamp with time zone'];
const JSONS = ['json', 'jsonb'];
const ENUM = 'enum';

/** @returns undefined where no cast leads from one type to the other */
export function conversionOf(
  stored: TableColumn,
  wanted: TableColumn,
  fullType: string,
): Conversion | undefined {
  if (stored.isArray !== wanted.isArray || isComputed(stored) || isComputed(wanted))
    return undefined;
  const both = (types: readonly string[]): boolean =>
    types.includes(stored.type) && types.includes(wanted.type);
  const risky = !keepsAll(stored, wanted);
  const name = `"${wanted.name}"`;
  const suffix = wanted.isArray ? '[]' : '';
  // Without a cast, PostgreSQL refuses a value that is too long; an explicit cast would cut it.
  if (both(TEXTS)) return { using: '', risky };
  if (TEXTS.includes(wanted.type)) return { using: ` USING ${name}::text${suffix}`, risky };
  if (wanted.type === ENUM) return { using: ` USING ${name}::text${suffix}::${fullType}`, risky };
  if (TEXTS.includes(stored.type) || [NUMBERS, MOMENTS, JSONS].some(both)) {
    return { using: ` USING ${name}::${fullType}`, risky };
  }
  return stored.type === wanted.type ? { using: '', risky } : undefined;
}

const isComputed = ({ asExpression, generatedType }: TableColumn): boolean =>
  asExpression !== undefined || generatedType !== undefined;

function keepsAll(stored: TableColumn, wanted: TableColumn): boolean {
  if (wanted.type === ENUM) {
    return stored.type === ENUM && (stored.enum ?? []).every((word) => wanted.enum?.includes(word));
  }
  if (TEXTS.includes(wanted.type)) return isLongEnough(stored, wanted);
  if (stored.type === wanted.type) return isPreciseEnough(stored, wanted);
  if (WHOLE.includes(stored.type) && WHOLE.includes(wanted.type)) {
    const isWider = WHOLE.indexOf(wanted.type) > WHOLE.indexOf(stored.type);
    return isWider && isUnbounded(wanted.precision);
  }
  return stored.type === 'json' && wanted.type === 'jsonb';
}

function isLongEnough(stored: TableColumn, wanted: TableColumn): boolean {
  if (wanted.length === '') return true;
  if (stored.type === ENUM) {
    return (stored.enum ?? []).every((word) => word.length <= Number(wanted.length));
  }
  return stored.length !== '' && Number(stored.length) <= Number(wanted.length);
}

/** Compares the digits after the point, and those before it. */
function isPreciseEnough(stored: TableColumn, wanted: TableColumn): boolean {
  if (isUnbounded(wanted.precision)) return true;
  if (isUnbounded(stored.precision)) return false;
  const [before, after] = [stored, wanted].map(({ precision, scale }) => ({
    whole: (precision ?? 0) - (scale ?? 0),
    fraction: scale ?? precision ?? 0,
  }));
  return before !== undefined && after !== undefined
    ? after.whole >= before.whole && after.fraction >= before.fraction
    : false;
}

const isUnbounded = (precision: number | null | undefined): boolean =>
  precision === undefined || precision === null;
