import type { CollectionShape, FieldShape } from '../engine';
import { type CollectionRights, signatureOf } from './collection-rights';

const field = (name: string): FieldShape => ({ name }) as FieldShape;

const TITLE = field('title');

const RIGHTS = {
  collection: { name: 'notes' } as CollectionShape,
  read: [{ field: TITLE, masked: false }],
  create: [{ field: TITLE, required: false }],
  update: [{ field: TITLE, required: false }],
} satisfies CollectionRights;

const signed = (rights: CollectionRights): string => signatureOf(new Map([['notes', rights]]));

/** Callers with one signature share a document, so it must tell apart whatever a document shows. */
describe('the signature of rights', () => {
  it('is equal for equal rights', () => {
    expect(signed(structuredClone(RIGHTS))).toBe(signed(RIGHTS));
  });

  it.each<[string, Partial<CollectionRights>]>([
    ['another collection', { collection: { name: 'others' } as CollectionShape }],
    ['a masked field', { read: [{ field: TITLE, masked: true }] }],
    ['another field to read', { read: [{ field: field('text'), masked: false }] }],
    ['every row', { everyRow: true }],
    ['a required field', { create: [{ field: TITLE, required: true }] }],
    [
      'a field that is never empty',
      { create: [{ field: TITLE, required: false, nonEmpty: true }] },
    ],
    ['no field to create', { create: [] }],
    ['another field to update', { update: [{ field: field('text'), required: false }] }],
    ['deleting', { delete: true }],
  ])('differs with %s', (_, other) => {
    expect(signed({ ...RIGHTS, ...other })).not.toBe(signed(RIGHTS));
  });

  it('differs where a write needs a comment', () => {
    expect(signed({ ...RIGHTS, explained: ['update'] })).not.toBe(signed(RIGHTS));
  });

  it.each(['read', 'create', 'update'] as const)('differs without %s', (action) => {
    const rest: Partial<typeof RIGHTS> & CollectionRights = { ...RIGHTS };
    delete rest[action];
    expect(signed(rest)).not.toBe(signed(RIGHTS));
  });
});
