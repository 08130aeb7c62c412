import fc, { type IAsyncProperty } from 'fast-check';

/** `MODEL_CASES=20000` for a long run; `MODEL_SEED` and `MODEL_PATH` repeat a failure. */
export const CASES = Number(process.env['MODEL_CASES'] ?? 2000);
/** The number of cases for each random world. */
export const CASES_PER_WORLD = 20;
export const TIME = 60 * 60_000;

/** Checks the property on as many random worlds as the cases need; prints the seed of a failure. */
export async function holds<T>(property: IAsyncProperty<T>): Promise<void> {
  const { MODEL_SEED: seed, MODEL_PATH: path } = process.env;
  await fc.assert(property, {
    numRuns: Math.ceil(CASES / CASES_PER_WORLD),
    ...(seed !== undefined && { seed: Number(seed) }),
    ...(path !== undefined && { path }),
    interruptAfterTimeLimit: TIME / 2,
  });
}
