import { spawn } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { zipSync } from "fflate";
import { parse } from "yaml";
import { obey, readOutputs } from "../action/runner-rules.ts";
import { bot, type GitHubStandIn, type Run, type StoredRepository, type User } from "../github/stand-in.ts";
import { Repository } from "./checkout.ts";
import { type ExpressionContext, fill, isMet } from "./expression.ts";
import { type Job, root, type Step, type Workflow } from "./workflow-files.ts";

/** An event that starts workflows. */
export interface Event {
  readonly name: "pull_request" | "merge_group" | "push" | "schedule" | "workflow_dispatch";
  readonly payload: Readonly<Record<string, unknown>>;
  readonly ref: string;
  /** The commit of the ref, which is checked out. */
  readonly sha: string;
  /** The branch whose name artifacts of the run bear, and its commit. */
  readonly head: { readonly branch: string; readonly sha: string };
  /** Whether the event comes from a fork: its run gets no secret, and a token that can only read. */
  readonly isFork?: boolean;
  /** The user whose push it is. */
  readonly actor?: User;
}

/** A GitHub with one repository. */
export interface Forge {
  readonly api: GitHubStandIn;
  readonly repository: StoredRepository;
  readonly origin: Repository;
  /** The secrets of the repository, and those of its environments. */
  readonly secrets: Readonly<Record<string, string>>;
  readonly environments: Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly vars: Readonly<Record<string, string>>;
  /** Folder of the runners. */
  readonly folder: string;
  /** The PATH of the runners. */
  readonly path: string;
  /** The folder with the bundled action. */
  readonly action: string;
}

export interface StepRun {
  readonly name: string;
  readonly outcome: "success" | "failure" | "skipped";
  readonly outputs: Readonly<Record<string, string>>;
  /** The lines that the runner shows. */
  readonly log: string;
  /** Annotations such as `error zones/example.com.yaml:3: …`. */
  readonly annotations: readonly string[];
}

export interface JobRun {
  readonly result: "success" | "failure" | "skipped";
  readonly steps: readonly StepRun[];
  readonly summary: string;
}

/** The result of each job, then of each step: of the action, its output, of others, whether they succeeded. */
export function outcomes(jobs: Record<string, JobRun>): object {
  const rows = Object.entries(jobs).map(([name, { result, steps }]) => [
    name,
    [result, ...steps.map((step) => `${step.name.split("@")[0]}: ${step.outputs.result ?? step.outcome}`)],
  ]);
  return Object.fromEntries(rows);
}

let runs = 0;

/** Runs the jobs of a workflow in their order, as a runner of GitHub does; undefined if the event starts it not. */
export async function runWorkflow(forge: Forge, workflow: Workflow, event: Event): Promise<Record<string, JobRun>> {
  if (!(event.name in workflow.on)) return {};
  const run = ++runs;
  const { api, repository } = forge;
  const stored: { -readonly [Key in keyof Run]: Run[Key] } = {
    id: run,
    repository,
    workflow: idOf(workflow),
    branch: event.head.branch,
    sha: event.head.sha,
    event: event.name,
    conclusion: null,
    ...(event.actor && { actor: event.actor }),
  };
  api.runs.push(stored);
  const done: Record<string, JobRun> = {};
  for (const [name, job] of Object.entries(workflow.jobs)) {
    if (job.strategy !== undefined) throw new Error("this runner knows no matrix");
    const isReady = job.needs === undefined || done[job.needs]?.result === "success";
    done[name] = isReady ? await new Runner(forge, event, run).runJob(name, job) : skipped;
  }
  stored.conclusion = Object.values(done).some(({ result }) => result === "failure") ? "failure" : "success";
  return done;
}

/** The id of a workflow, by its name. */
function idOf({ name }: Workflow): number {
  return [...name].reduce((sum, character) => sum * 31 + (character.codePointAt(0) ?? 0), 7) % 1_000_003;
}

const skipped: JobRun = { result: "skipped", steps: [], summary: "" };

/** Permissions that the token of an event from a fork has at most. */
const forFork = (level: string) => (level === "write" ? "read" : level);

class Runner {
  readonly #forge: Forge;
  readonly #event: Event;
  readonly #run: number;

  constructor(forge: Forge, event: Event, run: number) {
    this.#forge = forge;
    this.#event = event;
    this.#run = run;
  }

  async runJob(name: string, job: Job): Promise<JobRun> {
    const { api, folder, secrets, environments, vars, repository } = this.#forge;
    const { isFork = false } = this.#event;
    const place = join(folder, `${this.#run}-${name}`);
    const workspace = join(place, "workspace");
    mkdirSync(join(place, "temp"), { recursive: true });
    writeFileSync(join(place, "event.json"), JSON.stringify(this.#event.payload));
    writeFileSync(join(place, "summary"), "");
    const token = `ghs_run${this.#run}-${name}`;
    const rights = Object.entries(job.permissions ?? {}).map(([key, level]) => [
      key.replaceAll("-", "_"),
      isFork ? forFork(level) : level,
    ]);
    const permissions = Object.fromEntries(rights);
    api.tokens.set(token, { user: bot, kind: "installation", permissions });
    const known = { ...secrets, ...(job.environment !== undefined && environments[job.environment]) };
    const fullName = `${repository.owner.login}/${repository.name}`;
    const state: JobState = {
      place,
      workspace,
      token,
      canPush: permissions.contents === "write",
      hasFailed: false,
      groups: [],
    };
    const outputs: Record<string, { outputs: Readonly<Record<string, string>>; outcome: string }> = {};
    const context: ExpressionContext = {
      names: {
        github: {
          event_name: this.#event.name,
          event: this.#event.payload,
          ref: this.#event.ref,
          sha: this.#event.sha,
          repository: fullName,
          token,
        },
        secrets: isFork ? {} : known,
        vars,
        steps: outputs,
      },
      functions: {
        success: () => !state.hasFailed,
        failure: () => state.hasFailed,
        cancelled: () => false,
        always: () => true,
      },
    };
    if (!isMet(job.if, context)) return skipped;
    const steps: StepRun[] = [];
    for (const step of job.steps) {
      const ran = isMet(step.if, context) ? await this.#runStep(step, state, context) : undefined;
      const title = step.name ?? step.uses ?? step.run ?? "";
      const one = ran ?? { name: title, outcome: "skipped", outputs: {}, log: "", annotations: [] };
      if (one.outcome === "failure") state.hasFailed = true;
      if (step.id !== undefined) outputs[step.id] = one;
      steps.push(one);
    }
    for (const group of state.groups) endGroup(group);
    const summary = readFileSync(join(place, "summary"), "utf8");
    return { result: state.hasFailed ? "failure" : "success", steps, summary };
  }

  async #runStep(step: Step, state: JobState, context: ExpressionContext): Promise<StepRun> {
    const name = step.name ?? step.uses ?? step.run ?? "";
    const [action = ""] = step.uses?.split("@") ?? [];
    const given = Object.fromEntries(
      Object.entries(step.with ?? {}).map(([key, value]) => [key, fill(`${value}`, context)]),
    );
    const env = Object.fromEntries(Object.entries(step.env ?? {}).map(([key, value]) => [key, fill(value, context)]));
    const quiet = { name, outcome: "success", outputs: {}, log: "", annotations: [] } as const;
    switch (action) {
      case "":
        return this.#spawn(name, [...shellOf(step), step.run ?? ""], state, env);
      case "actions/checkout":
        this.#checkOut(given, state);
        return quiet;
      case "actions/setup-node":
        expectOnly(given, ["node-version"]);
        return quiet;
      case "./.github/actions/server":
        return this.#runComposite(name, action, { given, state, context });
      case "actions/upload-artifact":
        this.#upload(given, state);
        return quiet;
      case "./":
      case "zonewright/zonewright":
        return this.#spawn(name, [process.execPath, join(this.#forge.action, "index.js")], state, {
          ...env,
          ...inputsOf(given, context),
        });
      default:
        throw new Error(`this runner does not know the action ${action}`);
    }
  }

  /** Runs the steps of an action that consists of steps, from the checkout. */
  async #runComposite(
    name: string,
    folder: string,
    { given, state, context }: { given: Record<string, string>; state: JobState; context: ExpressionContext },
  ): Promise<StepRun> {
    const text = readFileSync(join(state.workspace, folder, "action.yml"), "utf8");
    const { inputs, outputs, runs } = parse(text) as CompositeFile;
    expectOnly(given, Object.keys(inputs));
    const steps: Record<string, StepRun> = {};
    const inside = { ...context, names: { inputs: given, steps } };
    const ran: StepRun[] = [];
    for (const step of runs.steps) {
      if (ran.some(({ outcome }) => outcome === "failure")) break;
      const one = await this.#runStep(step, state, inside);
      if (step.id !== undefined) steps[step.id] = one;
      ran.push(one);
    }
    const values = Object.entries(outputs).map(([key, { value }]) => [key, fill(value, inside)]);
    return {
      name,
      outcome: ran.at(-1)?.outcome ?? "success",
      outputs: Object.fromEntries(values),
      log: ran.map(({ log }) => log).join("\n"),
      annotations: ran.flatMap(({ annotations }) => annotations),
    };
  }

  /** The commit of the event, usually at depth 1, and the address of its repository: as left by actions/checkout. */
  #checkOut(given: Readonly<Record<string, string>>, { workspace, canPush }: JobState): void {
    expectOnly(given, ["fetch-depth"]);
    const { origin } = this.#forge;
    const { ref, sha } = this.#event;
    const checkout = Repository.create(workspace);
    checkout.git("remote", "add", "origin", `file://${origin.folder}`);
    // The token of the job opens the repository.
    if (!canPush) checkout.git("remote", "set-url", "--push", "origin", join(workspace, "no permission"));
    const branch = /^refs\/heads\/(.*)$/.exec(ref)?.[1];
    const own = branch === undefined ? ref.replace("refs/", "refs/remotes/") : `refs/remotes/origin/${branch}`;
    checkout.git("fetch", "--quiet", "--no-tags", `--depth=${given["fetch-depth"] ?? 1}`, "origin", `+${sha}:${own}`);
    if (branch === undefined) checkout.git("checkout", "--quiet", "--detach", own);
    else checkout.git("checkout", "--quiet", "-B", branch, own);
  }

  #upload(given: Readonly<Record<string, string>>, { workspace }: JobState): void {
    expectOnly(given, ["name", "path", "if-no-files-found", "overwrite", "archive"]);
    const { api, repository } = this.#forge;
    const path = join(workspace, given.path ?? "");
    const file = existsSync(path) ? path : (given.path ?? "");
    if (!existsSync(file)) {
      if (given["if-no-files-found"] === "error") throw new Error(`no file ${file}`);
      return;
    }
    const name = given.archive === "false" ? basename(file) : (given.name ?? "artifact");
    const { branch, sha } = this.#event.head;
    const run = { id: this.#run, repository, branch, sha };
    const zip = zipSync({ [basename(file)]: readFileSync(file) });
    const createdAt = api.now.toISOString();
    api.artifacts.push({ id: api.nextId(), repository, name, zip, isExpired: false, run, createdAt });
  }

  async #spawn(name: string, words: string[], state: JobState, env: Record<string, string>): Promise<StepRun> {
    const { place, workspace } = state;
    const { api, path, repository } = this.#forge;
    const { name: event, ref, sha } = this.#event;
    const output = join(place, "output");
    writeFileSync(output, "");
    const child = spawn(words[0] ?? "", words.slice(1), {
      cwd: workspace,
      detached: true, // a group of its own, with the programs that the step leaves behind
      env: {
        PATH: path,
        HOME: place,
        CI: "true",
        GITHUB_ACTIONS: "true",
        GITHUB_API_URL: api.url,
        GITHUB_SERVER_URL: "https://github.com",
        GITHUB_EVENT_NAME: event,
        GITHUB_EVENT_PATH: join(place, "event.json"),
        GITHUB_OUTPUT: output,
        GITHUB_REF: ref,
        GITHUB_REF_TYPE: ref.startsWith("refs/heads/") ? "branch" : "",
        GITHUB_REF_NAME: ref.replace(/^refs\/(?:heads\/|pull\/)/, ""),
        GITHUB_REPOSITORY: `${repository.owner.login}/${repository.name}`,
        GITHUB_REPOSITORY_ID: `${repository.id}`,
        GITHUB_RUN_ATTEMPT: "1",
        GITHUB_RUN_ID: `${this.#run}`,
        GITHUB_SHA: sha,
        GITHUB_STEP_SUMMARY: join(place, "summary"),
        GITHUB_WORKSPACE: workspace,
        RUNNER_TEMP: join(place, "temp"),
        ...env,
      },
    });
    let text = "";
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding("utf8").on("data", (data: string) => {
        text += data;
      });
    const code = await new Promise((resolve) => child.once("close", resolve));
    if (child.pid !== undefined) state.groups.push(child.pid);
    const { commands, shown } = obey(text);
    const annotations = commands
      .filter(({ name: word }) => ["error", "warning", "notice"].includes(word))
      .map(({ name: word, properties: { file, line }, data }) =>
        file === undefined ? `${word}: ${data}` : `${word} ${file}:${line}: ${data}`,
      );
    const outcome = code === 0 ? "success" : "failure";
    return { name, outcome, outputs: readOutputs(readFileSync(output, "utf8")), log: shown.join("\n"), annotations };
  }
}

/** The shell of a step: if it names bash, a failure in the middle of a pipe fails it as well. */
function shellOf({ shell }: Step): string[] {
  return shell === "bash" ? ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c"] : ["bash", "-e", "-c"];
}

interface JobState {
  readonly place: string;
  readonly workspace: string;
  readonly token: string;
  readonly canPush: boolean;
  hasFailed: boolean;
  /** Groups of processes of the steps, which end with the job. */
  readonly groups: number[];
}

interface ActionFile {
  readonly inputs: Readonly<Record<string, { readonly default?: string; readonly required?: boolean }>>;
}

/** The variables in which the runner passes the inputs of this action: those given, and the defaults of action.yml. */
function inputsOf(given: Readonly<Record<string, string>>, context: ExpressionContext): Record<string, string> {
  const { inputs } = parse(readFileSync(join(root, "action.yml"), "utf8")) as ActionFile;
  expectOnly(given, Object.keys(inputs));
  const values = Object.entries(inputs).map(([name, { default: usual = "" }]) => [
    `INPUT_${name.toUpperCase()}`,
    given[name] ?? fill(usual, context),
  ]);
  return Object.fromEntries(values);
}

/** Ends the programs that a step has left running. */
function endGroup(group: number): void {
  try {
    process.kill(-group, "SIGKILL");
  } catch {
    // The step left none.
  }
}

interface CompositeFile {
  readonly inputs: Readonly<Record<string, { readonly required: boolean }>>;
  readonly outputs: Readonly<Record<string, { readonly value: string }>>;
  readonly runs: { readonly steps: readonly Step[] };
}

function expectOnly(given: Readonly<Record<string, string>>, known: readonly string[]): void {
  const unknown = Object.keys(given).filter((name) => !known.includes(name));
  if (unknown.length > 0) throw new Error(`unknown inputs: ${unknown.join(", ")}`);
}
