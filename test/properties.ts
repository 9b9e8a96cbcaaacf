import * as fc from "fast-check";

/**
 * The seed of all properties. It is fixed, so that a commit is judged by the same cases wherever and whenever; the
 * nightly run sets another (`npm run fuzz -- nightly`).
 */
export const seed = Number(process.env.ZONEWRIGHT_SEED ?? 1);

/** Whether this is the nightly run, which takes all cases. Other runs take a sample of those that take long. */
export const isNightly = Boolean(process.env.ZONEWRIGHT_FULL);

/** Whether the suites run that start many programs (`@suite long`): in CI and in the nightly run. */
export const isFullRun = Boolean(process.env.CI) || isNightly;

/** The number of samples of each property, as a multiple of the written one. */
const times = Number(process.env.ZONEWRIGHT_TIMES ?? (isNightly ? 1 : 0.17));

/** A property's number of samples, where it is not fast-check's 100. */
export function samples(count: number): { numRuns: number } {
  return { numRuns: Math.ceil(count * times) };
}

/** Every `step`th of cases that take long; in the nightly run all. */
export function sampled<T>(cases: readonly T[], step: number): T[] {
  return cases.filter((_, index) => isNightly || index % step === 0);
}

// Vitest loads this file before each test file.
fc.configureGlobal({ seed, ...samples(100) });
