import * as fc from "fast-check";

/**
 * The seed of all properties. It is fixed, so that a commit is judged by the same cases wherever and whenever; the
 * nightly run sets another (`npm run fuzz -- nightly`).
 */
export const seed = Number(process.env.ZONEWRIGHT_SEED ?? 1);

/**
 * Whether what is long runs in full: in CI and in the nightly run. Elsewhere the tests take a sample of the same cases.
 */
export const isFullRun = Boolean(process.env.CI || process.env.ZONEWRIGHT_FULL);

/** The number of samples of each property, as a multiple of that in CI. */
const times = Number(process.env.ZONEWRIGHT_TIMES ?? (isFullRun ? 1 : 0.3));

/** A property's number of samples, where it is not fast-check's 100. */
export function samples(count: number): { numRuns: number } {
  return { numRuns: Math.ceil(count * times) };
}

// Vitest loads this file before each test file.
fc.configureGlobal({ seed, ...samples(100) });
