import { Column, type ColumnOptions } from 'typeorm';
import type { ScalarType } from '../../engine';
import { declareField, type FieldDeclaration } from './field-declaration';
import { type AnyOptions, splitOptions } from './split-options';

export type Decorate = (prototype: object, property: string | symbol) => void;

/** The types of columns, by the types of fields. */
export const SQL_TYPES = {
  integer: 'integer',
  bigint: 'bigint',
  decimal: 'numeric',
  double: 'double precision',
  boolean: 'boolean',
  text: 'text',
  enum: 'varchar',
  uuid: 'uuid',
  date: 'date',
  time: 'time',
  timestamp: 'timestamptz',
  json: 'jsonb',
} as const;

/**
 * Makes a decorator that declares a column to TypeORM and the field to the registry.
 * @param more options of the column that override those of the field
 * @param described properties of the declaration that override the usual ones
 */
export function column(
  type: Exclude<ScalarType, 'array'>,
  options: AnyOptions,
  more: ColumnOptions = {},
  described: Partial<FieldDeclaration & { kind: 'column' }> = {},
): Decorate {
  const { stored, concealed, declared } = splitOptions(options);
  return compose(
    Column({ type: SQL_TYPES[type], ...stored, ...more }),
    declare({
      kind: 'column',
      type,
      concealed,
      key: false,
      filled: stored.default !== undefined,
      ...declared,
      ...described,
    }),
  );
}

/** A decorator that declares a field to the registry. */
export const declare =
  (declaration: FieldDeclaration): Decorate =>
  (prototype, property) => {
    declareField(prototype, String(property), declaration);
  };

/** Several decorators as one, applied in order. */
export const compose =
  (...decorators: readonly Decorate[]): Decorate =>
  (prototype, property) => {
    for (const decorate of decorators) decorate(prototype, property);
  };
