import { fuzzNightly } from "./nightly.ts";

/** `npm run fuzz [-- what [count [seed]]]`: the long runs that the tests sample. Each returns whether it passed. */
const runs: Record<string, (...numbers: number[]) => Promise<boolean>> = {
  readers: async (...numbers) => (await import("./readers.ts")).fuzzReaders(...numbers),
  yaml: async (...numbers) => (await import("./plain-yaml.ts")).fuzzPlainYaml(...numbers),
  apply: async (...numbers) => (await import("./apply.ts")).fuzzApply(...numbers),
  kill: async (...numbers) => (await import("./kill.ts")).fuzzKill(...numbers),
  dark: async (...numbers) => (await import("./dark.ts")).fuzzDark(...numbers),
  "change-sets": async (...numbers) => (await import("./change-sets.ts")).fuzzChangeSets(...numbers),
  "served-worlds": async (...numbers) => (await import("./served-worlds.ts")).fuzzServedWorlds(...numbers),
  updates: async (...numbers) => (await import("./updates.ts")).fuzzUpdates(...numbers),
  requests: async (...numbers) => (await import("./requests-run.ts")).fuzzRequests(...numbers),
  "requests-postgres": async (...numbers) => (await import("./requests-run.ts")).fuzzRequestsOnPostgres(...numbers),
};

const [first = "readers", ...rest] = process.argv.slice(2);
const [what, numbers] = first in runs ? [first, rest] : ["readers", [first, ...rest]];
const isWhole =
  first === "nightly"
    ? await fuzzNightly(rest[0], rest[1] === undefined ? undefined : Number(rest[1]))
    : await runs[what]?.(...numbers.map(Number));
process.exitCode = isWhole ? 0 : 1;
