import { join } from "node:path";
import { fileURLToPath } from "node:url";

const programOf = (checkout: string) => join(checkout, "dist/cli/main.js");

/** The built program of this checkout. */
export const program = programOf(fileURLToPath(new URL("../..", import.meta.url)));

/** That of the checkout in the folder `BENCH_BEFORE`, usually of an earlier commit: measured beside this one. */
export const programBefore = process.env.BENCH_BEFORE ? programOf(process.env.BENCH_BEFORE) : undefined;
