import type { ReactNode } from 'react';
import { type FieldNames, includes, type Rights } from '../../api/rights';
import type { User } from '../../api/users';
import { statusInWords } from './status';

export type ColumnKey = 'email' | 'name' | 'role' | 'status' | 'created' | 'seen';

export interface Column {
  readonly key: ColumnKey;
  readonly label: string;
  /** The names of the fields that it shows and is sorted by. */
  readonly fields: readonly string[];
  readonly cell: (user: User) => ReactNode;
}

export const COLUMNS: readonly Column[] = [
  { key: 'email', label: 'E-mail', fields: ['email'], cell: ({ email }) => email },
  { key: 'name', label: 'Name', fields: ['last_name', 'first_name'], cell: nameOf },
  { key: 'role', label: 'Role', fields: ['role.name'], cell: ({ role }) => role },
  {
    key: 'status',
    label: 'Status',
    fields: ['status'],
    cell: ({ status }) =>
      status !== undefined && (
        <span className="status" data-status={status}>
          {statusInWords(status)}
        </span>
      ),
  },
  {
    key: 'created',
    label: 'Created',
    fields: ['date_created'],
    cell: ({ date_created }) => <Day of={date_created} />,
  },
  {
    key: 'seen',
    label: 'Last seen',
    fields: ['last_access'],
    cell: ({ last_access }) => <Day of={last_access} />,
  },
];

/** The columns with at least one readable field, each with its readable fields. */
export function readableColumns({ readUsers, readRoles }: Rights): Column[] {
  const isReadable = (path: string): boolean => {
    const [field = '', ...rest] = path.split('.');
    return includes(readUsers, field) && rest.every((name) => includes(readRoles, name));
  };
  return COLUMNS.map((column) => ({ ...column, fields: column.fields.filter(isReadable) })).filter(
    ({ fields }) => fields.length > 0,
  );
}

/** The fields of these columns, and the key if it is readable. */
export const fieldsOf = (columns: readonly Column[], readable: FieldNames): string[] => [
  ...(includes(readable, 'id') ? ['id'] : []),
  ...columns.flatMap(({ fields }) => fields),
];

function nameOf({ first_name = '', last_name = '' }: User): string {
  return `${first_name} ${last_name}`.trim();
}

const DAY = new Intl.DateTimeFormat('en', { dateStyle: 'medium' });

function Day({ of: moment }: { readonly of: string | undefined }) {
  if (moment === undefined || Number.isNaN(Date.parse(moment))) return null;
  return <time dateTime={moment}>{DAY.format(new Date(moment))}</time>;
}
