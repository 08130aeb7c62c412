import type { Schema } from '../../engine';
import { things, schema } from '../../engine/sample.spec-support';
import { SchemaTypes } from './schema-types';

describe('filters of relations', () => {
  const named = (name: string) => ({ ...things, name });
  const alike = ['parts_list', 'service_users_relation'];
  const all: Schema = {
    ...schema,
    get: (name) => (alike.includes(name) ? named(name) : schema.get(name)),
  };
  const types = new SchemaTypes(all, (name) => name);

  it('are not confused with filters of collections with a similar name', () => {
    const { parts, owner } = types.filter('things').getFields();
    const apart = [
      [parts, 'parts_list'],
      [owner, 'service_users_relation'],
    ] as const;
    for (const [field, collection] of apart) {
      expect(field?.type).not.toBe(types.filter(collection));
      expect(String(field?.type)).not.toBe(String(types.filter(collection)));
    }
  });

  it('have quantifiers only for lists', () => {
    const { parts, owner } = types.filter('things').getFields();
    const namesOf = (type: unknown): string[] =>
      Object.keys((type as { getFields(): object }).getFields());
    expect(namesOf(parts?.type)).toEqual(
      expect.arrayContaining(['_some', '_none', '_null', '_nnull', '_and', 'name']),
    );
    expect(namesOf(owner?.type)).toEqual(expect.arrayContaining(['_eq', '_null', '_and']));
    expect(namesOf(owner?.type)).not.toEqual(expect.arrayContaining(['_some']));
    expect(namesOf(owner?.type)).not.toEqual(expect.arrayContaining(['_none']));
  });
});
