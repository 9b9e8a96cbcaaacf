import { readGuides } from "./guides.ts";
import { referenceSections } from "./navigation.ts";
import type { Page } from "./page.ts";
import { listCommands } from "./reference/commands.ts";
import { listExitCodes } from "./reference/exit-codes.ts";
import { listErrors, listGuards, listRules } from "./reference/problems.ts";
import { listRecordTypes } from "./reference/record-types.ts";
import { listSettings } from "./reference/settings.ts";
import { listTargets } from "./reference/targets.ts";

/** Every page of the site but the front page. */
export async function listPages(): Promise<Page[]> {
  const reference = [
    ...(await listCommands()),
    ...listExitCodes(),
    ...listGuards(),
    ...listRules(),
    ...listErrors(),
    ...listRecordTypes(),
    ...listSettings(),
    ...listTargets(),
  ];
  return [...readGuides(), ...reference, ...Object.keys(referenceSections).map((folder) => listOf(folder, reference))];
}

/** The list of the pages of a kind. */
function listOf(folder: string, pages: readonly Page[]): Page {
  const path = `reference/${folder}/`;
  const links = pages
    .filter((page) => page.path.startsWith(path))
    .map((page) => `- [${page.title}](${page.path.slice(path.length)}.md)`);
  const title = referenceSections[folder] ?? folder;
  // The search would find the list before the pages in it.
  return { path: `${path}index`, title, text: `---\nsearch: false\n---\n\n# ${title}\n\n${links.join("\n")}\n` };
}
