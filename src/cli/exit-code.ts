import { type ExitCode, exitCode } from "../workflow/project/exit-code.ts";

export { codesOfKinds, type ExitCode, exitCode } from "../workflow/project/exit-code.ts";

/** The meaning of each exit code, as `zonewright explain` and the README give it. */
export const exitMeanings: readonly (readonly [ExitCode, string])[] = [
  [exitCode.done, "done, or in sync"],
  [exitCode.failed, "failed: an error of the disk, the network, the API or a name server, or you declined"],
  [exitCode.differences, "differences found (`compare`; `plan` and `drift` with `--detailed-exitcode`)"],
  [
    exitCode.invalid,
    "invalid input: a file, setting or flag value has to change, `fmt --check` would change a file, or a guard blocks a change",
  ],
  [
    exitCode.planRefused,
    "plan file refused: it was edited, has expired or does not approve every change, or its records changed since it was made",
  ],
  [exitCode.partly, "done in part, or zones were left out (`--skip-invalid`)"],
  [exitCode.notVerified, "not verified: the live zone, or the answer of a name server, differs"],
  [exitCode.inconclusive, "inconclusive: `verify` could not tell"],
  [exitCode.tryLater, "try later: another apply is running, a rate limit, or maintenance"],
  [exitCode.usage, "usage error: an unknown command or flag, or flags that contradict each other"],
  [exitCode.interrupted, "interrupted: the writes under way were finished"],
];
