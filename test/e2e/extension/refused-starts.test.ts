import { makeTestStorage, refusalOf, startTestApp, type TestStorage } from '../../support';
import { REFUSED_HOOKS } from './refused-hooks.cases';
import { REFUSED_FIELDS } from './refused-fields.cases';
import { REFUSED_MAPPINGS } from './refused-mappings.cases';
import { REFUSED_RELATIONS } from './refused-relations.cases';
import { Plain, REFUSED, registering } from './refused-starts.cases';

describe('The service does not start with', () => {
  // All cases share a database, since a refused start does not change it.
  let own: TestStorage;

  beforeAll(async () => {
    own = await makeTestStorage();
  });
  afterAll(() => own.drop());

  it.each([
    ...REFUSED,
    ...REFUSED_FIELDS,
    ...REFUSED_HOOKS,
    ...REFUSED_MAPPINGS,
    ...REFUSED_RELATIONS,
  ])('%s', async (_, module, message) => {
    const starting = startTestApp({ imports: [module], storage: own.storage, logger: false });
    expect(await refusalOf(starting)).toMatchObject({ name: 'RegistrationError', message });
  });

  it('a class that is not an entity', () => {
    expect(() => registering(Plain)).toThrow(
      "Plain cannot be a collection: decorate it with @Collection('…'), which names it.",
    );
  });
});
