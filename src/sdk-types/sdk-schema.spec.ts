import { Collection, Field } from '../common/schema';
import { Role } from '../roles';
import { sdkSchema } from './sdk-schema';

@Collection('positions')
class ServiceRole {
  @Field.key('integer') id!: number;
  @Field.text() name!: string;
}

@Collection('plans')
class Schema {
  @Field.key('integer') id!: number;
}

it('the interface of a collection never has the name of another one', () => {
  const text = sdkSchema([ServiceRole, Schema, Role]);
  const names = [...text.matchAll(/^export interface (\w+) \{$/gm)].map(([, name]) => name);
  expect(names).toEqual(['Schema', 'ItemServiceRole2', 'ItemSchema2', 'ServiceRole']);
  expect(text).toContain('  positions: ItemServiceRole2[];\n');
  expect(text).toContain('  directus_roles: ServiceRole;\n');
});
