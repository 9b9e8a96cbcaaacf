import { codesOfKinds, exitCode, exitMeanings } from "../../src/cli/exit-code.ts";
import { problemIds, registry } from "../../src/diagnostics/registry.ts";
import { isRule } from "../../src/workflow/project/switchable.ts";
import { type Page, prose } from "../page.ts";

/** A page for each exit code. */
export function listExitCodes(): Page[] {
  return exitMeanings.map(([code, meaning]) => {
    const kinds = codesOfKinds.filter(([, known]) => known === code).map(([kind]) => kind);
    const ids = problemIds.filter((id) => kinds.includes(registry[id].kind) && !isRule(id));
    const links = ids.map((id) => `- [${id}](../errors/${id.replace("/", "-")}.md)`);
    return {
      path: `reference/exit-codes/${code}`,
      title: `Exit code ${code}`,
      text: [
        `# Exit code ${code}`,
        `${prose(meaning.replace(/^./, (letter) => letter.toUpperCase()))}.`,
        ...(code === exitCode.invalid ? ["It is that of every error for which no other code stands."] : []),
        ...(links.length === 0 ? [] : ["## Errors", links.join("\n")]),
        "",
      ].join("\n\n"),
    };
  });
}
