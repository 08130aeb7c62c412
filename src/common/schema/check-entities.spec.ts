import 'reflect-metadata';
import { IsEmail } from 'class-validator';
import { Column, Entity } from 'typeorm';
import { checkEntities } from './check-entities';
import { Collection } from './collection.decorator';
import type { EntityClass } from './field-declaration';
import { Field } from './fields';
import { thingWith, checkResult } from './entities.spec-support';

describe('Fields for a collection of the service are refused', () => {
  @Collection('service_users')
  class User {
    @Field.key('uuid') id!: string;
    @Field.text({ nullable: true }) email!: string | null;
    @Column({ type: 'text', name: 'hidden_column' }) hidden!: string;
  }

  @Collection('service_access')
  class Access {
    @Field.key('uuid') id!: string;
  }

  const adding = (property: string, ...decorators: readonly PropertyDecorator[]): EntityClass => {
    class Added {}
    for (const decorate of decorators) decorate(Added.prototype, property);
    return Added;
  };
  const sentence = (
    fields: EntityClass,
    collection = 'service_users',
    more: EntityClass[] = [],
  ) => {
    const extensions = [fields, ...more].map((each) => ({ collection, fields: each }));
    try {
      checkEntities([User, Access], extensions);
      return 'accepted';
    } catch (error) {
      return (error as Error).message;
    }
  };
  const text = Field.text({ nullable: true });

  it.each<[string, EntityClass, string]>([
    ['with the name of a field', adding('email', text), 'Added.email has the name of a field'],
    ['with the name of a private property', adding('hidden', text), 'Added.hidden has the name'],
    [
      'with the name of a private column',
      adding('hidden_column', text),
      'Added.hidden_column has the name',
    ],
    [
      'in an existing column',
      adding('mail', Field.text({ nullable: true, column: 'email' })),
      'Added.mail has the name',
    ],
    ['that are required', adding('it', Field.text()), 'must be nullable or have a default'],
    ['that are required relations', adding('it', Field.toOne('service_users')), 'must be nullable'],
    ['that are keys', adding('it', Field.key('integer')), 'is a key'],
    ['with a name that is reserved for re-authentication', adding('otp', text), 'rename it'],
    ['that no query can name', adding('a-b', text), 'cannot be named by a query'],
    [
      'that refer to a missing collection',
      adding('it', Field.toMany('nowhere', 'user')),
      'refers to nowhere',
    ],
    ['with a decorator that has no effect', adding('it', text, IsEmail()), '{ email: true }'],
    ['if there are none', adding('it'), 'Added adds no field to service_users'],
  ])('%s', (_, fields, message) => {
    expect(sentence(fields)).toContain(message);
  });

  it('of a collection that grants rights, is not the service’s, or does not exist', () => {
    const message = 'fields can be added to service_users, service_roles, service_settings.';
    for (const name of ['service_access', 'articles', 'service_nothing']) {
      expect(sentence(adding('it', text), name)).toBe(`Added cannot extend ${name}: ${message}`);
    }
  });

  it('that two modules add', () => {
    const other = adding('both', Field.text({ nullable: true, column: 'it' }));
    expect(sentence(adding('it', text), 'service_users', [other])).toMatch(
      /^Added and Added both add (it|both) to service_users: rename one of them\.$/,
    );
  });

  it('of a class that is a collection itself', () => {
    const fields = adding('it', text);
    Entity()(fields);
    expect(sentence(fields)).toContain('use a plain class');
  });
});

describe('A field that could have no value, or whose target is missing, is refused:', () => {
  it.each<[string, PropertyDecorator, string]>([
    [
      'no choices',
      Field.enum([]) as PropertyDecorator,
      "Thing.it has no choices: list them, as in @Field.enum(['open', …]).",
    ],
    [
      'a list without choices',
      Field.array('enum') as PropertyDecorator,
      "Thing.it has no choices: list them, as in @Field.array('enum', { choices: […] }).",
    ],
    [
      'a default that is not one of the choices',
      Field.enum(['open', 'paid'], { default: 'shut' as never }) as PropertyDecorator,
      'Thing.it has the default shut, which is not one of its choices: open, paid.',
    ],
    [
      'a list with a default that is not one of its choices',
      Field.array('text', { choices: ['open'], default: ['shut'] }) as PropertyDecorator,
      'Thing.it has the default shut, which is not one of its choices: open.',
    ],
    [
      'choices for a list of numbers',
      Field.array('integer', { choices: ['1'] }) as PropertyDecorator,
      "Thing.it has choices, which only lists of 'text' and 'enum' have: leave them out.",
    ],
    [
      'a default that is not a value of the type',
      Field.integer({ default: 'x' as never }) as PropertyDecorator,
      'Thing.it has the default "x", which is not an integer.',
    ],
    [
      'a list with such a default',
      Field.array('boolean', { default: ['yes'] }) as PropertyDecorator,
      'Thing.it has the default "yes", which is not true or false.',
    ],
    [
      'a day that the calendar lacks as the default of a date',
      Field.date({ default: '2026-02-30' }) as PropertyDecorator,
      'Thing.it has the default "2026-02-30", which is not a day of the calendar (YYYY-MM-DD).',
    ],
    [
      'such a day as the default of a timestamp',
      Field.timestamp({ default: '2025-02-29T12:00:00Z' }) as PropertyDecorator,
      'Thing.it has the default "2025-02-29T12:00:00Z", which is not a moment of the calendar (RFC 3339).',
    ],
    [
      'such a moment in a list',
      Field.array('date', { default: ['2026-01-01', '2026-13-01'] }) as PropertyDecorator,
      'Thing.it has the default "2026-13-01", which is not a day of the calendar (YYYY-MM-DD).',
    ],
    [
      'a time that no clock shows',
      Field.time({ default: '25:00' }) as PropertyDecorator,
      'Thing.it has the default "25:00", which is not a time of the day (HH:MM:SS).',
    ],
    [
      'an entity that is not loaded yet',
      Field.toOne(() => undefined as never) as PropertyDecorator,
      "Thing.it refers to nothing: its module and another import each other, so name the collection instead, as in @Field.toOne('invoices').",
    ],
  ])('%s', (_, decorate, sentence) => {
    expect(checkResult(thingWith(decorate))).toBe(sentence);
  });

  it.each([
    Field.date({ default: '2024-02-29' }),
    Field.date({ default: 'infinity' }),
    Field.date({ default: () => 'current_date' }),
    Field.timestamp({ default: '2026-01-31 23:59:59+01' }),
    Field.timestamp({ default: 'now' }),
    Field.time({ default: '23:59:59.999' }),
    Field.time({ default: '23:59:60' }),
    Field.time({ default: '24:00' }),
    Field.time({ default: '10:00 PM' }),
  ] as PropertyDecorator[])(
    'but not a default of a date or time that PostgreSQL reads (%#)',
    (decorate) => {
      expect(checkResult(thingWith(decorate))).toBe('accepted');
    },
  );

  it('but not one whose default is one of its choices', () => {
    const begun = Field.enum(['open', 'paid'], { default: 'open' }) as PropertyDecorator;
    expect(checkResult(thingWith(begun))).toBe('accepted');
  });
});
