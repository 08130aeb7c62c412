import { loadOnce } from './load-once';

describe('a value that is loaded at its first use', () => {
  it('is loaded once, however many callers request it', async () => {
    const load = jest.fn(() => Promise.resolve({}));
    const loaded = loadOnce(load);
    const [one, other] = await Promise.all([loaded(), loaded()]);
    expect(other).toBe(one);
    expect(await loaded()).toBe(one);
    expect(load).toHaveBeenCalledTimes(1);
  });

  it('is tried again after a failure', async () => {
    const load = jest.fn<Promise<string>, []>();
    load.mockRejectedValueOnce(new Error('too many open files')).mockResolvedValue('there');
    const loaded = loadOnce(load);
    await expect(loaded()).rejects.toThrow('too many open files');
    expect(await loaded()).toBe('there');
  });
});
