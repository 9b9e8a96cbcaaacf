export { codesOfKinds, type ExitCode, exitCode, exitMeanings } from "../workflow/project/exit-code.ts";
