import { SampleModule } from '../../sample-extension/sample.module';
import { as, signIn, startTestApp, TEST_ADMIN, type TestApp } from '../../support';

export interface Sample {
  readonly app: TestApp;
  /** The administrator's. */
  readonly token: string;
}

/** The sample with two categories, five articles and two tags. */
export async function openSample(env: Record<string, string> = {}): Promise<Sample> {
  const app = await startTestApp({ imports: [SampleModule], env });
  const { access_token: token } = await signIn(app, TEST_ADMIN);
  const { data } = await as(app, token).post('/items/articles', [
    ...['Alder', 'Birch', 'Cedar', 'Dogwood'].map((title, qty) => ({
      ...{ title, qty, published_at: `202${qty}-03-01T12:00:00Z`, status: 'published' },
    })),
    { title: 'Elm', status: 'draft', tags: [{ name: 'red' }, { name: 'blue' }] },
  ]);
  if (!Array.isArray(data)) throw new Error('The sample has no articles');
  return { app, token };
}
