import 'reflect-metadata';
import { Exclude, Expose, Transform, Type } from 'class-transformer';
import { IsEmail, IsOptional, Length, Matches, Validate } from 'class-validator';
import {
  AfterLoad,
  BeforeInsert,
  Column,
  CreateDateColumn,
  DeleteDateColumn,
  JoinColumn,
  ManyToOne,
  OneToOne,
  PrimaryColumn,
  Tree,
  TreeParent,
  UpdateDateColumn,
  VersionColumn,
} from 'typeorm';
import { Collection } from './collection.decorator';
import { Field } from './fields';
import { thingWith, thingOf, checkResult } from './entities.spec-support';

class Parts {
  @Column() street!: string;
}

const MOMENT = { type: 'timestamptz' } as const;

const IDLE: [string, PropertyDecorator, string][] = [
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
  ['insert: false or update: false', Column({ type: 'text', update: false }), 'writeOnce'],
  ['another class', Column(() => Parts), '{ column }'],
  ['@Exclude', Exclude(), '{ concealed: true }'],
  ['@Expose', Expose({ name: 'other' }), '{ column }'],
  ['@Transform', Transform(({ value }) => value as unknown), 'toStored'],
  ['@Type', Type(() => Parts), 'remove it'],
  ['eager', ManyToOne(() => Parts, { eager: true }), '`fields`'],
  ['lazy', ManyToOne(() => Parts, { lazy: true }), '`fields`'],
  ['cascade', ManyToOne(() => Parts, { cascade: ['insert'] }), 'nested writes'],
  ['@Tree', TreeParent(), '@Field.toOne'],
];

describe('A decorator that would do nothing is refused with what to use:', () => {
  it.each(IDLE)('%s', (decorator, decorate, instead) => {
    const sentence = checkResult(thingWith(decorate));
    expect(sentence).toMatch(/^Thing\.it .*\.$/);
    expect(sentence).toContain(decorator);
    expect(sentence).toContain(instead);
  });

  it('@Tree on the class', () => {
    const entity = thingWith();
    Tree('closure-table')(entity);
    expect(checkResult(entity)).toMatch(/^Thing has @Tree.*@Field\.toMany\.$/);
  });

  it('@Exclude on the class', () => {
    const entity = thingWith();
    Exclude()(entity);
    expect(checkResult(entity)).toMatch(/^Thing has @Exclude of class-transformer/);
  });

  it('a decorator on a base class', () => {
    class Base {
      @UpdateDateColumn(MOMENT) changed!: Date;
    }
    @Collection('derived')
    class Derived extends Base {
      @Field.key('integer') id!: number;
    }
    expect(checkResult(Derived)).toMatch(/^Derived\.changed has @UpdateDateColumn/);
  });

  describe('a column that a base class declares too:', () => {
    class Base {
      @Field.uuid() code!: string;
      @Field.toOne('owners', { nullable: true }) owner!: string | null;
      @Column({ type: 'int' }) left!: number;
    }

    it.each<[string, PropertyDecorator]>([
      ['code', Field.text() as PropertyDecorator],
      ['code', Column({ type: 'text' })],
      ['code', ManyToOne(() => Parts)],
      ['owner', Field.uuid() as PropertyDecorator],
      ['owner', Field.toOne('others') as PropertyDecorator],
    ])('%s', (property, decorate) => {
      class Derived extends Base {}
      decorate(Derived.prototype, property);
      (Field.key('integer') as PropertyDecorator)(Derived.prototype, 'id');
      Collection('derived')(Derived);
      expect(checkResult(Derived)).toBe(
        `Derived.${property} overrides the column of Base, which TypeORM would keep: declare it in one of the two classes.`,
      );
    });

    it('but not what is only exposed there, nor what two classes have without a common base', () => {
      @Collection('owners')
      class Owner extends Base {
        @Field.key('integer') id!: number;
        @Field.expose() declare left: number;
      }
      @Collection('others')
      class Other extends Base {
        @Field.key('uuid') id!: string;
      }
      expect(checkResult(Owner, Other)).toBe('accepted');
    });
  });

  it('but not on a private column', () => {
    expect(checkResult(thingWith(Column({ type: 'text', nullable: true, select: false })))).toBe(
      'accepted',
    );
  });
});

describe('In an existing table', () => {
  it.each(IDLE)('%s is left to the other data source, where it is not exposed', (_, decorate) => {
    expect(checkResult(thingOf({ existing: true }, decorate))).toBe('accepted');
  });

  it.each(IDLE.filter(([decorator]) => !/@(Before|After)/.test(decorator)))(
    '%s is refused on an exposed property',
    (_, decorate) => {
      expect(checkResult(thingOf({ existing: true }, decorate, Field.text()))).not.toBe('accepted');
    },
  );
});

describe('@Field.expose() is refused', () => {
  const exposed = (...own: readonly PropertyDecorator[]): string =>
    checkResult(thingWith(...own, Field.expose()));

  it.each<[string, PropertyDecorator[], string]>([
    ['without a column', [], 'Thing.it is exposed but has no column'],
    ['of an unknown type', [Column({ type: 'inet' })], 'of the type inet'],
    ['of a type that is compared differently', [Column({ type: 'real' })], 'of the type real'],
    ['of a type that only TypeORM knows', [Column({ type: 'simple-json' })], 'simple-json'],
    [
      'of a relation to another column than the key',
      [ManyToOne(() => Parts), JoinColumn({ referencedColumnName: 'street' })],
      'refers to a column other than the key',
    ],
    ['of the inverse side of a one-to-one', [OneToOne(() => Parts)], 'is on the other side'],
  ])('%s', (_, own, sentence) => {
    expect(exposed(...own)).toContain(sentence);
  });

  it('as a type that it does not have', () => {
    const entity = thingWith(Column({ type: 'int' }), Field.expose({ type: 'text' }));
    expect(checkResult(entity)).toContain('cannot be read as text');
  });

  it('but not of a relation whose @JoinColumn names the key', () => {
    @Collection('owners')
    class Owner {
      @Field.key('text') code!: string;
    }
    const join = JoinColumn({ referencedColumnName: 'code' });
    const thing = thingWith(
      ManyToOne(() => Owner),
      join,
      Field.expose(),
    );
    expect(checkResult(thing, Owner)).toBe('accepted');
  });

  it('but not on a key', () => {
    @Collection('keyed')
    class Keyed {
      @Field.expose() @PrimaryColumn('uuid') id!: string;
    }
    expect(checkResult(Keyed)).toBe('accepted');
  });
});
