import { Collection } from './collection.decorator';
import { ownProfileOf } from './extension';
import { declaredFields } from './field-declaration';
import { Field } from './fields';

@Collection('people_with_more')
class Person {
  @Field.text({ nullable: true, ownProfile: true })
  nickname!: string | null;

  @Field.text({ nullable: true })
  salary!: string | null;

  @Field.array('text', { ownProfile: true })
  hobbies!: string[];

  @Field.toOne('service_users', { nullable: true, ownProfile: true })
  mentor!: string | null;

  @Field.toOne('service_users', { nullable: true })
  rival!: string | null;
}

describe('the caller’s own profile', () => {
  it('shows only those of a team’s fields that are declared as part of it', () => {
    const fields = ownProfileOf(declaredFields(Person));
    expect(fields).toEqual(expect.arrayContaining(['nickname', 'hobbies', 'mentor']));
    for (const hidden of ['salary', 'rival']) expect(fields).not.toContain(hidden);
  });
});
