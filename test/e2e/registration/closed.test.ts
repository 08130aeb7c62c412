import { RequestTimes } from '../../../src/auth';
import {
  anAddress,
  CHOSEN,
  openRegistrationApp,
  type RegistrationApp,
  REGISTRATION_TRANSPORTS,
} from '../../support';

const LATER = 2_000_000_000;
/** Registrations are processed when the test says so. */
const times = { longestDelay: LATER };

let app: RegistrationApp;

beforeAll(async () => {
  app = await openRegistrationApp({
    customise: (builder) => builder.overrideProvider(RequestTimes).useValue(times),
  });
});

afterAll(() => app?.test.close());

const processAll = async (): Promise<void> => {
  await app.test.database.query('UPDATE service_jobs SET next_try = now()');
  // The worker looks for due jobs when one is added.
  times.longestDelay = 0;
  await app.nobody.post('/users/register/resend', { email: anAddress() });
  times.longestDelay = LATER;
  await app.settled();
};

const OPEN = { public_registration: true, public_registration_email_filter: {} };
const ELSEWHERE = { email: { _contains: '@example.org' } };

describe.each(REGISTRATION_TRANSPORTS)('at $name', (transport) => {
  it.each<[string, object, object, number]>([
    ['open when it was sent and when it is processed', OPEN, OPEN, 1],
    ['closed when it was sent', { public_registration: false }, OPEN, 0],
    ['closed when it is processed', OPEN, { public_registration: false }, 0],
    [
      'not for the address when it was sent',
      { public_registration_email_filter: ELSEWHERE },
      OPEN,
      0,
    ],
    ['not for it when it is processed', OPEN, { public_registration_email_filter: ELSEWHERE }, 0],
  ])('a registration counts by the settings: %s', async (_, sent, processed, users) => {
    const email = anAddress();
    await app.set({ ...OPEN, ...sent });
    expect(
      (await transport.run(app.nobody, 'register', { email, password: CHOSEN })).codes,
    ).toEqual([]);
    await app.set({ ...OPEN, ...processed });
    await processAll();
    expect(await app.stored(email)).toHaveLength(users);
    expect(await app.recorded.to(email)).toHaveLength(users);
  });
});
