import { replyOf } from './clients';

const codesOf = async (body: unknown): Promise<string[]> => {
  const { codes } = await replyOf(new Response(JSON.stringify(body), { status: 400 }));
  return codes;
};

describe('the codes of a reply', () => {
  it('are those of its errors, in their order', async () => {
    const errors = [{ extensions: { code: 'A' } }, { extensions: { code: 'B' } }];
    expect(await codesOf({ errors })).toEqual(['A', 'B']);
  });

  it('are empty texts for errors without a code, as the routes of a team may answer them', async () => {
    expect(
      await codesOf({ errors: ['wrong', null, {}, { message: 'x', extensions: {} }] }),
    ).toEqual([...['', '', '', '']]);
  });

  it.each([['a text'], [[7]], [null], [{ errors: 3 }], [{ errors: { name: 'wrong' } }]])(
    'are none where %j is the body, which has no list of errors',
    async (body) => {
      expect(await codesOf(body)).toEqual([]);
    },
  );
});
