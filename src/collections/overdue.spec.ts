import { Logger } from '@nestjs/common';
import { warnIfOverdue, watchedHooks } from './overdue';

const WARNS_AFTER = 10;
const forever = (): Promise<never> => new Promise(() => undefined);
const later = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 5 * WARNS_AFTER));

it('the log names a hook that does not end, and what waits for it', async () => {
  const warned = jest.spyOn(Logger.prototype, 'warn').mockImplementation();
  void warnIfOverdue('beforeCreate of notes', forever(), WARNS_AFTER);
  expect(await warnIfOverdue('another', Promise.resolve(1), WARNS_AFTER)).toBe(1);
  await expect(
    warnIfOverdue('a third', Promise.reject(new Error('no')), WARNS_AFTER),
  ).rejects.toThrow('no');
  await later();
  expect(warned.mock.calls).toEqual([
    [
      expect.stringMatching(
        /^beforeCreate of notes has not ended after 0\.01 s; a transaction stays open/,
      ),
    ],
  ]);
});

it('watched hooks return what the hooks return', async () => {
  const hooks = watchedHooks(
    {
      needsBefore: true,
      required: () => ['title'],
      beforeCreate: (payload) => Promise.resolve({ ...payload, title: 'made' }),
    },
    'notes',
  );
  expect([hooks.needsBefore, hooks.required?.({} as never)]).toEqual([true, ['title']]);
  expect(await hooks.beforeCreate?.({}, {} as never)).toEqual({ title: 'made' });
});
