import { configFile } from "../../config/config.ts";
import { secretOf, secretVariable, type TargetKindName } from "../../config/target-kinds.ts";
import type { Fix } from "../../diagnostics/advice.ts";
import { readPackagedFile } from "../../packaged-file.ts";
import type { FileToWrite } from "../project/files.ts";
import { targetPlaceholder } from "../project/targets.ts";
import { version } from "../project/version.ts";

export const ciServices = ["github", "gitlab"] as const;
export type CiService = (typeof ciServices)[number];

interface CiFile extends FileToWrite {
  readonly text: string;
  /** The name of a workflow of GitHub. */
  readonly name?: WorkflowName;
  /** Advice if the file exists already. */
  readonly advice?: Fix;
}

/** The files with which a CI service checks, plans and applies zones. */
export interface CiFiles {
  readonly files: readonly CiFile[];
  readonly notes: readonly string[];
}

/** The workflows of examples/github. */
const workflows = ["check", "plan", "apply", "drift"] as const;
export type WorkflowName = (typeof workflows)[number];

/** The end of a `uses:` line in the examples, whose release has no commit yet. */
const placeholder = /0{40} # placeholder: the commit of a release$/gm;

const gitlabFile = ".gitlab/zonewright.yml";

/** The facts that the files of a service depend on. */
export interface CiOptions {
  /** The commit that the action of the workflows is pinned to. */
  readonly commit: string | undefined;
  /** Whether a second person approves each pull request. */
  readonly isTwoPeople: boolean;
  /** The folder of the project in its repository; empty at its top. */
  readonly at?: string;
  /** Whether another project of the repository has the usual workflows. */
  readonly isFurther?: boolean;
  /** The targets of its config; none for the API alone. */
  readonly targets?: readonly CiTarget[];
}

/** A target, whose token or key the jobs get from secrets of the CI. */
export interface CiTarget {
  readonly name: string;
  readonly kind: TargetKindName;
}

/** The beginning of the inputs of the action in the examples. */
const firstInput = /^( *)command: .*$/gm;

/** The shipped files of a service, at the top of the repository, where it reads them. */
export function ciFiles(ci: CiService, options: CiOptions): CiFiles {
  const { commit, isTwoPeople, at = "", isFurther = false, targets = [] } = options;
  const config = /^[\w./-]*$/.test(at) ? `${at}/${configFile}` : JSON.stringify(`${at}/${configFile}`);
  const up = at.replaceAll(/[^/]+\/?/g, "../");
  if (ci === "gitlab") {
    const given = [
      ...(at === "" ? [] : [`config: ${config}`]),
      ...(targets.length > 0 ? [`snapshot: ${allRefs}`] : []),
    ];
    const inputs = given.length === 0 ? "" : `, inputs: { ${given.join(", ")} }`;
    const include = `include:\n  - ${given.length === 0 ? `local: ${gitlabFile}` : `{ local: ${gitlabFile}${inputs} }`}\n`;
    const advice = isFurther
      ? `it includes the jobs for another project, and GitLab would replace them by those of a second include: move one of the projects to a repository of its own`
      : `add this to include it: \`include: [{ local: ${gitlabFile}${inputs} }]\``;
    const head = `# Checks, plans and applies the zones of this repository.\n${gitlabNotes(targets)}`;
    const files = [
      { file: `${up}${gitlabFile}`, text: readPackagedFile("templates/zonewright.yml") },
      { file: `${up}.gitlab-ci.yml`, text: `${head}${include}`, advice },
    ];
    return { files, notes: [] };
  }
  const own = isFurther ? at.replaceAll(/[^\w.-]+/g, "-") || "top" : "";
  const files = workflows.map((name): CiFile => {
    const shipped = readPackagedFile(`examples/github/${name}.yml`);
    const text = isTwoPeople ? shipped : shipped.replace("two-people: true", "two-people: false");
    const pinned = commit === undefined ? text : text.replaceAll(placeholder, `${commit} # v${version()}`);
    const file = `${up}.github/workflows/zonewright-${own === "" ? name : `${own}-${name}`}.yml`;
    const inFolder =
      at === "" ? pinned : pinned.replaceAll(firstInput, (line, indent) => `${line}\n${indent}config: ${config}`);
    const named = own === "" ? inFolder : withOwnNames(inFolder, own);
    return { file, name, text: targets.length === 0 ? named : withTargets(named, name, targets) };
  });
  const note =
    "the workflows do not run yet: replace the zeros behind `uses: zonewright/zonewright@` by the commit of a release";
  return { files, notes: commit === undefined ? [note] : [] };
}

/** Gives a workflow names of its own, where two projects would share a status check, a queue or a snapshot. */
function withOwnNames(text: string, own: string): string {
  const [head = "", jobs = ""] = text.split(/(?<=^jobs:\n)/m);
  const named = jobs.replaceAll(/^ {2}(\w+):.*\n/gm, (line, id) => `${line}    name: ${id} (${own})\n`);
  return (head + named)
    .replace(/^name: .*$/m, (line) => `${line} (${own})`)
    .replace(/group: zonewright-/, (group) => `${group}${own}-`)
    .replaceAll(/(?<=ls-remote origin |origin \+)refs\/zonewright\/snapshot\b/g, `refs/zonewright/snapshot-${own}`)
    .replace(/^( *)command: snapshot$/m, (line, indent) => `${line}\n${indent}ref: refs/zonewright/snapshot-${own}`);
}

/** The refs of the snapshots of all targets. */
const allRefs = `"refs/zonewright/targets/${targetPlaceholder}"`;

/**
 * Gives the steps the token or key of each target, such as the secret `ZONEWRIGHT_OFFICE_READ_TSIG_KEY` for plans, and
 * lets them fetch the snapshot of each.
 */
function withTargets(shipped: string, name: WorkflowName, targets: readonly CiTarget[]): string {
  const text = name === "check" ? shipped : withRunner(shipped, targets); // which calls no service
  const ofStep =
    /^( *)with:\n((?:\1 .*\n)*?) *api-url: .*\n *token: \$\{\{ secrets\.ZONEWRIGHT_(READ|WRITE)_TOKEN \}\} (#.*)\n/gm;
  return text
    .replaceAll(ofStep, (_, indent: string, inputs: string, right: "READ" | "WRITE", scopes: string) => {
      const lines = targets.flatMap(({ name, kind }) => {
        const [variable, secret] = [secretVariable(name, kind), secretOf(kind)?.variable];
        if (variable === undefined || secret === undefined) return [];
        const comment = kind === "api" ? scopes : rightsOfKeys[kind][right];
        const ofCi = `${variable.slice(0, -secret.length)}${right}_${secret}`;
        return `${indent}  ${variable}: \${{ secrets.${ofCi} }} ${comment}\n`;
      });
      const env = lines.length > 0 ? `${indent}env:\n${lines.join("")}` : "";
      return `${env}${indent}with:\n${inputs}`;
    })
    .replaceAll(/ls-remote origin refs\S+(?=\))/g, "ls-remote origin 'refs/zonewright/targets/*'")
    .replaceAll(/origin \+refs\S+/g, "origin '+refs/zonewright/targets/*:refs/zonewright/targets/*'")
    .replaceAll(/ref:refs\S+/g, `ref:refs/zonewright/targets/${targetPlaceholder}`)
    .replace("push refs/zonewright/snapshot", "push the snapshots")
    .replaceAll(/^ *ref: refs\S+\n/gm, "");
}

/** The variables that a pipeline needs, and the runner of its jobs; for the API, the component tells them. */
function gitlabNotes(targets: readonly CiTarget[]): string {
  const variables = targets.flatMap(({ name, kind }) => {
    const variable = secretVariable(name, kind);
    if (variable === undefined) return [];
    if (kind === "powerdns")
      return [
        `# - ${variable}, the API key of PowerDNS, protected, for the environment "dns";`,
        "#   unprotected as well if branches are to be planned: there is one key, and it can write",
      ];
    const [value, read, write] =
      kind === "api"
        ? ["a token", "has read scopes", "has write scopes"]
        : ["a TSIG key as hmac-sha256:NAME:SECRET", "may transfer the zones", "may also update them"];
    return [
      `# - ${variable}, ${value}:`,
      `#   one that ${read}, unprotected; one that ${write}, protected, for the environment "dns"`,
    ];
  });
  const lines = variables.length > 0 ? ["# Its variables (Settings > CI/CD), masked:", ...variables] : [];
  const runner = runnerOf(targets);
  if (runner) lines.push(`# The runner ${runner}: to choose it, add default: { tags: [ITS_TAG] }`);
  return lines.map((line) => `${line}\n`).join("");
}

/** The machine that jobs need which plan or apply; undefined if any does. */
function runnerOf(targets: readonly CiTarget[]): string | undefined {
  const files = targets.find(({ kind }) => kind === "files");
  if (files) return `must be the machine with the zone files of ${files.name}`;
  const server = targets.find(({ kind }) => kind === "rfc2136");
  if (server) return `must reach the name server of ${server.name}, over UDP and TCP`;
  const api = targets.find(({ kind }) => kind === "powerdns");
  return api && `must reach the API of ${api.name}`;
}

/** Says which runner jobs need that plan or apply. */
function withRunner(text: string, targets: readonly CiTarget[]): string {
  const runner = runnerOf(targets);
  if (runner === undefined) return text;
  return text.replaceAll(/^( *runs-on: ubuntu-latest)$/gm, `$1 # ${runner}: often a self-hosted one`);
}

const rightsOfTsig = { READ: "# may transfer the zones", WRITE: "# may transfer and update the zones" };

/** The rights of the keys of targets that are not the API. PowerDNS has one key, which can write. */
const rightsOfKeys = {
  rfc2136: rightsOfTsig,
  files: rightsOfTsig,
  powerdns: {
    READ: "# the API key, which can write: people who may push branches could take it",
    WRITE: "# the API key",
  },
};

/** The commit that this package was built from (npm's `prepack` writes it); undefined in a checkout. */
export function packagedCommit(): string | undefined {
  try {
    return /^[0-9a-f]{40,64}$/m.exec(readPackagedFile("dist/commit"))?.[0];
  } catch {
    return undefined;
  }
}
