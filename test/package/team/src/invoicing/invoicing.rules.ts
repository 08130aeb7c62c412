import { type ManagedRules } from 'doorward';

const OFFICE = { office: { _eq: '$CURRENT_USER.office' } };
const IN_OFFICE = { customer: OFFICE };
const DRAFT = { _and: [IN_OFFICE, { status: { _eq: 'draft' } }] };
const TEXTS = ['title', 'customer', 'address', 'labels'];

/** Clerks work on the drafts of their own office; bookkeepers do the rest. */
export const RULES: ManagedRules = {
  key: 'invoicing',
  version: 1,
  policies: {
    clerk: {
      name: 'Clerk',
      permissions: [
        { collection: 'customers', action: 'read', fields: ['*'], permissions: OFFICE },
        { collection: 'accounts', action: 'read', fields: ['*'] },
        { collection: 'labels', action: 'read', fields: ['*'] },
        { collection: 'invoices', action: 'read', fields: ['*'], permissions: IN_OFFICE },
        {
          ...{ collection: 'invoices', action: 'create', fields: [...TEXTS, 'lines'] },
          permissions: IN_OFFICE,
        },
        {
          ...{ collection: 'invoices', action: 'update', fields: [...TEXTS, 'lines', 'version'] },
          permissions: DRAFT,
        },
        {
          ...{ collection: 'invoice_lines', action: 'read', fields: ['*'] },
          permissions: { invoice: IN_OFFICE },
        },
        ...(['create', 'update', 'delete'] as const).map((action) => ({
          ...{ collection: 'invoice_lines', action, permissions: { invoice: DRAFT } },
          fields: ['invoice', 'account', 'quantity', 'price'],
        })),
      ],
    },
    bookkeeper: {
      name: 'Bookkeeper',
      permissions: [
        ...['accounts', 'customers', 'invoices', 'invoice_lines', 'labels'].flatMap((collection) =>
          (['create', 'read', 'update', 'delete'] as const).map((action) => ({
            ...{ collection, action, fields: ['*'] },
          })),
        ),
        { collection: 'invoicing_settings', action: 'read', fields: ['*'] },
        { collection: 'invoicing_settings', action: 'update', fields: ['books_open'] },
        { collection: 'audit_entries', action: 'read', fields: ['*'] },
        { collection: 'service_users', action: 'read', fields: ['email', 'office'] },
      ],
    },
  },
};
