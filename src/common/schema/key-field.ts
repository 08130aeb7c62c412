import { PrimaryColumn, PrimaryGeneratedColumn } from 'typeorm';
import { compose, type Decorate, declare, SQL_TYPES } from './column-decorator';
import type { ColumnOf } from './fits';
import type { KeyOptions, KeyType } from './field-options';

/**
 * The key: made by the database (an identity integer, a long one where many rows come and go, or a UUID), or said by
 * whoever creates the row.
 */
export function keyField<T extends KeyType>(type: T, options: KeyOptions = {}): ColumnOf<T, false> {
  const { generated = true, default: filled } = options;
  const isGenerated = generated && type !== 'text';
  return compose(
    isGenerated ? generatedKey(type, options) : spokenKey(type, options),
    declare({
      kind: 'column',
      type,
      concealed: false,
      key: true,
      filled: isGenerated || filled !== undefined,
    }),
  );
}

function generatedKey(type: Exclude<KeyType, 'text'>, { column: name }: KeyOptions): Decorate {
  const named = name === undefined ? {} : { name };
  if (type === 'uuid') return PrimaryGeneratedColumn('uuid', named);
  return PrimaryGeneratedColumn('identity', {
    generatedIdentity: 'BY DEFAULT',
    ...(type === 'bigint' && { type }),
    ...named,
  });
}

function spokenKey(type: KeyType, { column: name, length, default: filled }: KeyOptions): Decorate {
  const bounded = type === 'text' && length !== undefined;
  return PrimaryColumn({
    ...(bounded ? { type: 'varchar', length } : { type: SQL_TYPES[type] }),
    ...(name !== undefined && { name }),
    ...(filled && { default: filled }),
  });
}
