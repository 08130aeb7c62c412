import 'reflect-metadata';
import { Exclude, Expose, Transform, Type } from 'class-transformer';
import { IsEmail, IsOptional, Length, Matches, Validate } from 'class-validator';
import {
  AfterLoad,
  BeforeInsert,
  Column,
  CreateDateColumn,
  DeleteDateColumn,
  Entity,
  JoinColumn,
  ManyToOne,
  OneToOne,
  PrimaryColumn,
  Tree,
  TreeParent,
  UpdateDateColumn,
  VersionColumn,
} from 'typeorm';
import { checkEntities } from './check-entities';
import { Collection } from './collection.decorator';
import type { EntityClass } from './field-declaration';
import { Field } from './fields';

/** A class with a key, and one more property that a test decorates. */
function made(...decorators: readonly PropertyDecorator[]): EntityClass {
  class Thing {
    id!: number;
  }
  Field.key('integer')(Thing.prototype, 'id');
  for (const decorate of decorators) decorate(Thing.prototype, 'it');
  Collection('things')(Thing);
  return Thing;
}

const words = (...entities: readonly EntityClass[]): string => {
  try {
    checkEntities(entities);
    return 'accepted';
  } catch (error) {
    return (error as Error).message;
  }
};

class Parts {
  @Column() street!: string;
}

const MOMENT = { type: 'timestamptz' } as const;

describe('A decorator that would do nothing is refused with what to use:', () => {
  it.each<[string, PropertyDecorator, string]>([
    ['@CreateDateColumn', CreateDateColumn(MOMENT), '@Field.timestamp({ createdAt: true })'],
    ['@UpdateDateColumn', UpdateDateColumn(MOMENT), '@Field.timestamp({ updatedAt: true })'],
    ['@DeleteDateColumn', DeleteDateColumn(MOMENT), 'deletedAt: true'],
    ['@VersionColumn', VersionColumn({ type: 'int' }), '@Field.integer({ version: true })'],
    ['@BeforeInsert', BeforeInsert(), '@HooksOf(Thing)'],
    ['@AfterLoad', AfterLoad(), '@HooksOf(Thing)'],
    ['@IsEmail', IsEmail(), '{ email: true }'],
    ['@Matches', Matches(/a/), '{ pattern }'],
    ['@IsLength', Length(1, 2), '{ length }'],
    ['@IsOptional', IsOptional(), '{ nullable: true }'],
    ['@CustomValidation', Validate(class Odd {}), '@HooksOf'],
    [
      'a transformer',
      Column({
        type: 'text',
        transformer: { to: (raw) => raw as unknown, from: (raw) => raw as unknown },
      }),
      'toStored',
    ],
    ['insert or update', Column({ type: 'text', update: false }), 'writeOnce'],
    ['another class', Column(() => Parts), '{ column }'],
    ['@Exclude', Exclude(), '{ concealed: true }'],
    ['@Expose', Expose({ name: 'other' }), '{ column }'],
    ['@Transform', Transform(({ value }) => value as unknown), 'toStored'],
    ['@Type', Type(() => Parts), 'leave it out'],
    ['eager', ManyToOne(() => Parts, { eager: true }), '`fields`'],
    ['lazy', ManyToOne(() => Parts, { lazy: true }), '`fields`'],
    ['cascade', ManyToOne(() => Parts, { cascade: ['insert'] }), 'nested writes'],
    ['@Tree', TreeParent(), '@Field.toOne'],
  ])('%s', (decorator, decorate, instead) => {
    const sentence = words(made(decorate));
    expect(sentence).toMatch(/^Thing\.it .*\.$/);
    expect(sentence).toContain(decorator);
    expect(sentence).toContain(instead);
  });

  it('@Tree on the class', () => {
    const entity = made();
    Tree('closure-table')(entity);
    expect(words(entity)).toMatch(/^Thing has @Tree.*@Field\.toMany\.$/);
  });

  it('@Exclude on the class', () => {
    const entity = made();
    Exclude()(entity);
    expect(words(entity)).toMatch(/^Thing has @Exclude of class-transformer/);
  });

  it('one on a class that is extended', () => {
    class Base {
      @UpdateDateColumn(MOMENT) changed!: Date;
    }
    @Collection('derived')
    class Derived extends Base {
      @Field.key('integer') id!: number;
    }
    expect(words(Derived)).toMatch(/^Derived\.changed has @UpdateDateColumn/);
  });

  it('but a private column is left alone', () => {
    expect(words(made(Column({ type: 'text', nullable: true, select: false })))).toBe('accepted');
  });
});

describe('@Field.expose() is refused', () => {
  const exposed = (...own: readonly PropertyDecorator[]): string =>
    words(made(...own, Field.expose()));

  it.each<[string, PropertyDecorator[], string]>([
    ['without a column', [], 'Thing.it is exposed and has no column'],
    ['of a type that is not known', [Column({ type: 'inet' })], 'of the type inet'],
    ['of a type that is compared otherwise', [Column({ type: 'real' })], 'of the type real'],
    ['of what has a property’s type alone', [Column({ type: 'simple-json' })], 'simple-json'],
    [
      'of a relation to another column than the key',
      [ManyToOne(() => Parts), JoinColumn({ referencedColumnName: 'street' })],
      'leads to another column than the key',
    ],
    ['of a one-to-one of the other side', [OneToOne(() => Parts)], 'stands on the other side'],
  ])('%s', (_, own, sentence) => {
    expect(exposed(...own)).toContain(sentence);
  });

  it('as another type than it is', () => {
    const entity = made(Column({ type: 'int' }), Field.expose({ type: 'text' }));
    expect(words(entity)).toContain('cannot be read as text');
  });

  it('but not of a relation whose @JoinColumn names the key', () => {
    @Collection('owners')
    class Owner {
      @Field.key('text') code!: string;
    }
    const join = JoinColumn({ referencedColumnName: 'code' });
    const thing = made(
      ManyToOne(() => Owner),
      join,
      Field.expose(),
    );
    expect(words(thing, Owner)).toBe('accepted');
  });

  it('but not on a key', () => {
    @Collection('keyed')
    class Keyed {
      @Field.expose() @PrimaryColumn('uuid') id!: string;
    }
    expect(words(Keyed)).toBe('accepted');
  });
});

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
    ['of a name that there is', adding('email', text), 'Added.email has the name of a field'],
    ['of a private property’s name', adding('hidden', text), 'Added.hidden has the name'],
    [
      'of a private column’s name',
      adding('hidden_column', text),
      'Added.hidden_column has the name',
    ],
    [
      'in a column that there is',
      adding('mail', Field.text({ nullable: true, column: 'email' })),
      'Added.mail has the name',
    ],
    ['that must be there', adding('it', Field.text()), 'must be nullable or have a default'],
    ['that must lead somewhere', adding('it', Field.toOne('service_users')), 'must be nullable'],
    ['that are keys', adding('it', Field.key('integer')), 'is a key'],
    ['by which people prove who they are', adding('otp', text), 'another'],
    ['that no query can name', adding('a-b', text), 'cannot be named by a query'],
    ['that lead nowhere', adding('it', Field.toMany('nowhere', 'user')), 'leads to nowhere'],
    ['that nothing asks', adding('it', text, IsEmail()), '{ email: true }'],
    ['that are none', adding('it'), 'Added adds no field to service_users'],
  ])('%s', (_, fields, told) => {
    expect(sentence(fields)).toContain(told);
  });

  it('of a collection that grants rights, or is none', () => {
    const told = 'fields can be added to service_users, service_roles, service_settings.';
    for (const name of ['service_access', 'articles', 'service_nothing']) {
      expect(sentence(adding('it', text), name)).toBe(`Added cannot extend ${name}: ${told}`);
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
    expect(sentence(fields)).toContain('let it be a plain class');
  });
});

describe('A field that could hold nothing, or whose target is missing, is refused:', () => {
  it.each<[string, PropertyDecorator, string]>([
    [
      'no words',
      Field.enum([]) as PropertyDecorator,
      "Thing.it could hold nothing: say which words there are, as @Field.enum(['open', …]).",
    ],
    [
      'a list of no words',
      Field.array('enum') as PropertyDecorator,
      "Thing.it could hold nothing: say which words there are, as @Field.array('enum', { choices: […] }).",
    ],
    [
      'a default that is none of the words',
      Field.enum(['open', 'paid'], { default: 'shut' as never }) as PropertyDecorator,
      'Thing.it is shut by default, which is none of its words: open, paid.',
    ],
    [
      'a default that is no value of the type',
      Field.integer({ default: 'x' as never }) as PropertyDecorator,
      'Thing.it is "x" by default, which is not an integer.',
    ],
    [
      'a list with such a default',
      Field.array('boolean', { default: ['yes'] }) as PropertyDecorator,
      'Thing.it is "yes" by default, which is not true or false.',
    ],
    [
      'an entity that is not there yet',
      Field.toOne(() => undefined as never) as PropertyDecorator,
      "Thing.it leads to nothing: its module and another import each other, so name the collection instead, as in @Field.toOne('invoices').",
    ],
  ])('%s', (_, decorate, sentence) => {
    expect(words(made(decorate))).toBe(sentence);
  });

  it('but not one that begins with one of its words', () => {
    const begun = Field.enum(['open', 'paid'], { default: 'open' }) as PropertyDecorator;
    expect(words(made(begun))).toBe('accepted');
  });
});
