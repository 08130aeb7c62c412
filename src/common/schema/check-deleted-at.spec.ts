import { checkDeletedAt } from './check-deleted-at';
import { Collection } from './collection.decorator';
import { declaredFields, deletedAtOf, type EntityClass } from './field-declaration';
import { Field } from './fields';

const DELETED = { nullable: true, deletedAt: true } as const;

@Collection('kept')
class Kept {
  @Field.key('integer') id!: number;
  @Field.timestamp(DELETED) deleted_at!: Date | null;
}

@Collection('more_kept')
class MoreKept extends Kept {
  @Field.text() name!: string;
}

@Collection('twice')
class Twice {
  @Field.timestamp(DELETED) deleted_at!: Date | null;
  @Field.timestamp(DELETED) gone_at!: Date | null;
}

@Collection('single', { singleton: true })
class Single {
  @Field.timestamp(DELETED) deleted_at!: Date | null;
}

@Collection('service_kept')
class OfService {
  @Field.timestamp(DELETED) deleted_at!: Date | null;
}

@Collection('never')
class Never {
  @Field.timestamp({ deletedAt: true }) deleted_at!: Date;
}

@Collection('born')
class Born {
  @Field.timestamp({ ...DELETED, default: () => 'now()' }) deleted_at!: Date | null;
}

const check = (entity: EntityClass): void =>
  checkDeletedAt(entity, declaredFields(entity), () => entity !== Never);

it.each([Kept, MoreKept])('deleted rows of an entity are kept by one field', (entity) => {
  expect(() => check(entity)).not.toThrow();
  expect(deletedAtOf(entity)).toBe('deleted_at');
});

it.each<[EntityClass, string]>([
  [Twice, 'Twice has two fields with deletedAt, deleted_at and gone_at: keep one.'],
  [
    Single,
    "Single.deleted_at would never be set, since a singleton's row cannot be deleted: remove deletedAt.",
  ],
  [
    OfService,
    'OfService.deleted_at is not possible: collections of the service do not keep deleted rows, so remove deletedAt.',
  ],
  [
    Never,
    'Never.deleted_at must be null until the row is deleted: make it nullable, without a default.',
  ],
  [
    Born,
    'Born.deleted_at must be null until the row is deleted: make it nullable, without a default.',
  ],
])('%p is refused', (entity, message) => {
  expect(() => check(entity)).toThrow(message);
});
