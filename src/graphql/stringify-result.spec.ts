import { GRAPHQL_LIMITS } from './limits';
import { stringifyResult } from './stringify-result';

const data = { rows: Array.from({ length: 3_000 }, (_, at) => ({ at })) };

afterEach(() => jest.restoreAllMocks());

it('writes a large answer in the same way as a small one', async () => {
  expect(await stringifyResult({ data })).toBe(`${JSON.stringify({ data })}\n`);
});

it('replaces a text that becomes too long by an error', async () => {
  jest.replaceProperty(GRAPHQL_LIMITS as { text: number }, 'text', 10_000);
  const { errors } = JSON.parse(await stringifyResult({ data })) as { errors: object[] };
  expect(errors).toMatchObject([{ extensions: { code: 'INVALID_QUERY' } }]);
});
