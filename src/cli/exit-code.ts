export { codesOfKinds, type ExitCode, exitCode, exitMeanings } from "../workflow/exit-code.ts";
