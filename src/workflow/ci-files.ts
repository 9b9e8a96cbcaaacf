import { existsSync, readFileSync } from "node:fs";
import { packagedFile } from "../packaged-file.ts";
import type { FileToWrite } from "./files.ts";
import { version } from "./version.ts";

export const ciServices = ["github", "gitlab"] as const;
export type CiService = (typeof ciServices)[number];

interface CiFile extends FileToWrite {
  readonly text: string;
  /** Advice if the file exists already. */
  readonly advice?: string;
}

/** The files with which a CI service checks, plans and applies zones. */
export interface CiFiles {
  readonly files: readonly CiFile[];
  readonly notes: readonly string[];
}

/** The workflows of examples/github. */
const workflows = ["check", "plan", "apply", "drift"] as const;

/** The end of a `uses:` line in the examples, whose release has no commit yet. */
const placeholder = /0{40} # placeholder: the commit of a release$/gm;

const gitlabFile = ".gitlab/zonewright.yml";

/** The facts that the files of a service depend on. */
export interface CiOptions {
  /** The commit that the action of the workflows is pinned to. */
  readonly commit: string | undefined;
  /** Whether a second person approves each pull request. */
  readonly isTwoPeople: boolean;
}

/** The shipped files of a service. */
export function ciFiles(ci: CiService, { commit, isTwoPeople }: CiOptions): CiFiles {
  if (ci === "gitlab") {
    const include = `include:\n  - local: ${gitlabFile}\n`;
    const advice = `add this to include it: \`include: [{ local: ${gitlabFile} }]\``;
    const files = [
      { file: gitlabFile, text: readPackaged("templates/zonewright.yml") },
      { file: ".gitlab-ci.yml", text: `# Checks, plans and applies the zones of this repository.\n${include}`, advice },
    ];
    return { files, notes: [] };
  }
  const files = workflows.map((name) => {
    const shipped = readPackaged(`examples/github/${name}.yml`);
    const text = isTwoPeople ? shipped : shipped.replace("two-people: true", "two-people: false");
    const pinned = commit === undefined ? text : text.replaceAll(placeholder, `${commit} # v${version()}`);
    return { file: `.github/workflows/zonewright-${name}.yml`, text: pinned };
  });
  const note =
    "the workflows do not run yet: replace the zeros behind `uses: zonewright/zonewright@` by the commit of a release";
  return { files, notes: commit === undefined ? [note] : [] };
}

/** The commit that this package was built from (npm's `prepack` writes it); undefined in a checkout. */
export function packagedCommit(): string | undefined {
  const file = packagedFile("dist/commit");
  const [commit] = (existsSync(file) ? readFileSync(file, "utf8") : "").match(/^[0-9a-f]{40,64}$/m) ?? [];
  return commit;
}

function readPackaged(file: string): string {
  return readFileSync(packagedFile(file), "utf8");
}
