import { type Problem, ProblemError } from "../diagnostics/problem.ts";
import type { Context } from "./context.ts";
import { isUsage } from "./tell.ts";

/**
 * Runs a command whose result programs read: when it is refused, they get the problems in their own format on standard
 * output, beside the text for people on standard error.
 * @throws what `run` throws.
 */
export async function reportingRefusals<T>(
  context: Context,
  format: ((problems: readonly Problem[]) => string) | undefined,
  run: () => Promise<T>,
): Promise<T> {
  try {
    return await run();
  } catch (error) {
    if (format && error instanceof ProblemError && !isUsage(error)) context.out(format(error.problems));
    throw error;
  }
}
