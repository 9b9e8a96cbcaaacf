import { ProblemError, problem } from "../../diagnostics/problem.ts";

/**
 * Loads a module that needs libsql or pg, which `npm install --omit=optional` leaves out.
 * @throws {ProblemError} `package-missing`
 */
export async function loadDriver<T>(load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (error) {
    const { code, message = "" } = error as NodeJS.ErrnoException;
    const [, name] = /Cannot find (?:package|module) '([^']+)'/.exec(message) ?? [];
    if (name === undefined || (code !== "ERR_MODULE_NOT_FOUND" && code !== "MODULE_NOT_FOUND")) throw error;
    const fix = "Install zonewright with its optional packages: `npm install zonewright --include=optional`.";
    throw new ProblemError(problem("package-missing", `the package "${name}" is not installed`, { fix }), {
      cause: error,
    });
  }
}
