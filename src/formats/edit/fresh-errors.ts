import { type Problem, ProblemError, problem } from "../../diagnostics/problem.ts";

/**
 * The errors of a written zone that its sources do not have as often, by rule and name. Each source is a list of the
 * problems of its forms: of these the most count.
 */
export function findFreshErrors(
  written: readonly Problem[],
  sources: readonly (readonly (readonly Problem[])[])[],
): Problem[] {
  return findFreshProblems(
    errorsOf(written),
    sources.map((forms) => forms.map(errorsOf)),
  );
}

/** The same for problems of every severity. */
export function findFreshProblems(
  written: readonly Problem[],
  sources: readonly (readonly (readonly Problem[])[])[],
): Problem[] {
  const left = new Map<string, number>();
  for (const forms of sources)
    for (const [key, most] of maxima(forms.map(countProblems))) left.set(key, (left.get(key) ?? 0) + most);
  return written.filter((found) => {
    const rest = (left.get(keyOf(found)) ?? 0) - 1;
    left.set(keyOf(found), rest);
    return rest < 0;
  });
}

/** The error that a writer made these errors. */
export function writeFault(file: string, errors: readonly Problem[]): ProblemError {
  const summary = `${file} would have errors that its source does not have, so it is not written`;
  const fix = "This is a mistake of zonewright: please report it with the lines above.";
  return new ProblemError([...errors, problem("write-invalid", summary, { fix })]);
}

export function errorsOf(problems: readonly Problem[]): Problem[] {
  return problems.filter(({ severity }) => severity === "error");
}

function countProblems(problems: readonly Problem[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const found of problems) counts.set(keyOf(found), (counts.get(keyOf(found)) ?? 0) + 1);
  return counts;
}

function maxima(all: readonly ReadonlyMap<string, number>[]): Map<string, number> {
  const most = new Map<string, number>();
  for (const counts of all) for (const [key, count] of counts) most.set(key, Math.max(count, most.get(key) ?? 0));
  return most;
}

function keyOf({ id, owner = "" }: Problem): string {
  return `${id} ${owner.toLowerCase()}`;
}
