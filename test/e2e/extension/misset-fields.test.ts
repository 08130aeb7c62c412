import { Logger, Module } from '@nestjs/common';
import {
  Collection,
  type CollectionHooks,
  CollectionsModule,
  Field,
  HooksOf,
  type PayloadContext,
} from 'doorward';
import { as, signIn, startTestApp, TEST_ADMIN, type TestApp, type TestClient } from '../../support';

@Collection('jars')
class Jar {
  @Field.key('integer') id!: number;
  @Field.text() label!: string;
  @Field.integer({ nullable: true }) qty!: number | null;
  @Field.computed('integer', { from: ['qty'], sql: (field) => `${field('qty')} * 2` })
  readonly twice!: number;
  @Field.timestamp({ updatedAt: true }) changed!: Date;
}

/** Sets the field that the label names: a mistake that the compiler does not see in what comes from elsewhere. */
@HooksOf(Jar)
class JarHooks implements CollectionHooks<Jar> {
  beforeCreate<P extends { readonly label?: unknown }>(payload: P, context: PayloadContext): P {
    (context.set as (values: object) => void)({ [String(payload.label)]: 1 });
    return payload;
  }
}

@Module({ imports: [CollectionsModule.forFeature([Jar])], providers: [JarHooks] })
class JarsModule {}

let test: TestApp;
let admin: TestClient;
const logged: string[] = [];

beforeAll(async () => {
  jest.spyOn(Logger.prototype, 'error').mockImplementation((...words: unknown[]) => {
    logged.push(words.map(String).join(' '));
  });
  test = await startTestApp({ imports: [JarsModule], synchronize: true, logger: false });
  admin = as(test, (await signIn(test, TEST_ADMIN)).access_token);
});

afterAll(() => test.close());
beforeEach(() => logged.splice(0));

it.each([
  ['nope', 'A hook of jars sets nope, which is not a stored field of it'],
  ['twice', 'A hook of jars sets twice, which is not a stored field of it'],
  ['changed', 'A hook of jars sets changed, which the service fills in'],
])('a hook that sets %s is named in the log', async (label, message) => {
  expect((await admin.post('/items/jars', { label })).codes).toEqual(['INTERNAL_SERVER_ERROR']);
  expect(logged.join('\n')).toContain(message);
});

it('a hook that sets a stored field sets it', async () => {
  const { data } = await admin.post('/items/jars?fields=qty,twice', { label: 'qty' });
  expect(data).toEqual({ qty: 1, twice: 2 });
});
