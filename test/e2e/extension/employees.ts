import { Collection, type CollectionHooks, CollectionsModule, Field, HooksOf } from 'doorward';
import { type SeedData, create, OWN_USER, read, update } from '../../factories';

@Collection('departments')
class Department {
  @Field.key('integer') id!: number;
  @Field.text() name!: string;
  @Field.toMany('service_users', 'department') people!: string[];
}

@Collection('papers')
class Paper {
  @Field.key('integer') id!: number;
  @Field.text() title!: string;
  @Field.toOne('departments', { nullable: true }) department!: Department | null;
}

class EmployeeFields {
  @Field.toOne('departments', { nullable: true, ownProfile: true, onDelete: 'SET NULL' })
  department!: Department | null;

  @Field.text({ length: 8, nullable: true, unique: true, column: 'badge_no' })
  badge!: string | null;

  @Field.decimal({ nullable: true, precision: 9, scale: 2 }) salary!: string | null;
  @Field.integer({ default: 1 }) grade!: number;
  @Field.text({ nullable: true, concealed: true }) door_code!: string | null;
  @Field.manyToMany('papers') read_papers!: number[];
}

class TeamFields {
  @Field.text({ nullable: true }) team!: string | null;
}

class CompanyFields {
  @Field.text({ nullable: true }) company!: string | null;
}

/** The fields of a written user that a team's hook sees. */
export const seen: unknown[] = [];

@HooksOf('service_users')
class SeeingHooks implements CollectionHooks {
  beforeUpdate(payload: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
    seen.push({ ...payload });
    return payload;
  }
}

export const EMPLOYEES = [
  CollectionsModule.forFeature([Department, Paper]),
  CollectionsModule.extend('service_users', EmployeeFields),
  CollectionsModule.extend('service_roles', TeamFields),
  CollectionsModule.extend('service_settings', CompanyFields),
  { module: class Seeing {}, providers: [SeeingHooks] },
];

const MATES = { department: { _eq: '$CURRENT_USER.department' } };

export const STAFF: SeedData = {
  policies: {
    staff: [
      read('papers', ['id', 'title'], MATES),
      read('service_users', ['id', 'email']),
      read('service_roles', ['id', 'name', 'team'], { team: { _eq: '$CURRENT_ROLE.team' } }),
    ],
    payroll: [
      read('service_users', ['id', 'email', 'salary', 'grade'], { salary: { _gt: 100 } }),
      update('service_users', ['salary'], MATES),
    ],
    editing: [
      read('service_users', ['id', 'badge'], OWN_USER),
      update('service_users', ['badge'], OWN_USER),
    ],
    hiring: [create('service_users', ['email', 'badge', 'department'])],
  },
  roles: { desk: { policies: ['staff'] } },
  users: {
    ann: { role: 'desk', grade: 3, salary: '1000.50', badge: 'A-1', door_code: '4711' },
    bob: { role: 'desk', salary: '50' },
    clerk: { policies: ['payroll'] },
    eve: { policies: ['editing'] },
    boss: { policies: ['hiring'] },
  },
};
