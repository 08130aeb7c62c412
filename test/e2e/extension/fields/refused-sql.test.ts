import { TablesAtStart } from '../../../../src/collections/tables-at-start';
import { Collection, CollectionsModule, Field } from 'doorward';
import { makeTestStorage, refusalOf, startTestApp, type TestStorage } from '../../../support';

function computedBy(sql: string): new () => object {
  @Collection('reckoned')
  class Reckoned {
    @Field.key('integer') id!: number;
    @Field.computed('integer', { from: ['id'], sql: (column) => `${column('id')} + 1` })
    right!: number | null;
    @Field.computed('integer', { from: ['id'], sql: () => sql }) wrong!: number | null;
  }
  return Reckoned;
}

let own: TestStorage;

beforeAll(async () => {
  own = await makeTestStorage();
});

afterAll(() => own.drop());

it.each([
  ['nothere', 'column "nothere" does not exist'],
  ['sum(t.id)', 'aggregate functions are not allowed in WHERE'],
  [`'one'::integer`, 'invalid input syntax for type integer: "one"'],
])('The service does not start with a field that is computed by %s', async (sql, reason) => {
  const imports = [CollectionsModule.forFeature([computedBy(sql)])];
  const { storage } = own;
  const starting = startTestApp({ imports, storage, synchronize: true, logger: false });
  expect(await refusalOf(starting)).toMatchObject({
    name: 'RegistrationError',
    message: `Reckoned.wrong is computed by SQL that the database refuses (${reason}): correct its sql.`,
  });
});

it('The service does not start if the collation of a text column treats different texts as equal', async () => {
  @Collection('mates')
  class Mate {
    @Field.key('integer') id!: number;
    @Field.text({ nullable: true, column: 'e_mail' }) email!: string | null;
  }
  const imports = [CollectionsModule.forFeature([Mate])];
  const app = await startTestApp({ imports, synchronize: true });
  await app.database.query(
    `CREATE COLLATION loose (provider = icu, locale = 'und-u-ks-level2', deterministic = false)`,
  );
  await app.database.query('ALTER TABLE mates ALTER e_mail TYPE text COLLATE loose');
  // Checked as by the next start, since an embedded database in memory has no next start.
  const starting = app.app.get(TablesAtStart, { strict: false }).onApplicationBootstrap();
  await expect(starting).rejects.toMatchObject({
    name: 'RegistrationError',
    message: expect.stringContaining('Mate.email has the collation loose') as string,
  });
  await app.close();
});
