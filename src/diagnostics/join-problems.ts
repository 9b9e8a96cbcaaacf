import { aroundSummary, type Problem } from "./problem.ts";

/** The problems of a target. */
export interface ProblemsOfTarget {
  readonly name: string;
  readonly problems: readonly Problem[];
  /** The files of its zones. */
  readonly files: readonly string[];
}

/** The problems of several targets, each once. One that not all targets with its file have ends with those that do. */
export function joinProblems(targets: readonly ProblemsOfTarget[]): Problem[] {
  const found = new Map<string, { one: Problem; on: string[] }>();
  for (const { name, problems } of targets)
    for (const one of problems) {
      const key = JSON.stringify(one);
      const known = found.get(key);
      if (known) known.on.push(name);
      else found.set(key, { one, on: [name] });
    }
  return [...found.values()].map(({ one, on }) => {
    const ofFile = targets.filter(({ files }) => one.place === undefined || files.includes(one.place.file));
    const isOfAll = ofFile.every(({ name }) => on.includes(name));
    return isOfAll ? one : aroundSummary(one, "", ` (on ${on.join(", ")})`);
  });
}
