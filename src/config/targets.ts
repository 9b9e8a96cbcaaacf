import { normalize } from "node:path";
import * as z from "zod";
import { nearest } from "../diagnostics/nearest.ts";
import { kindNameOf, secretOf, secretVariable, targetSchema } from "./target-kinds.ts";

const nameError = "must begin with a letter and contain only letters, digits, _ and -";

/** The `targets` of a config, by name. */
export const targetsSchema = z.record(z.string().regex(/^[A-Za-z][\w-]{0,62}$/, nameError), targetSchema, {
  error: ({ code }) => (code === "invalid_key" ? nameError : "must be a map of targets by name"),
});

/** Variables with another meaning. */
const takenVariables = ["read", "serve", "write"].map((name) => secretVariable(name, "api"));

/** An error at a path of the config; its message continues the name of the setting. */
type Issue = z.core.$ZodIssue;

function issue(path: PropertyKey[], message: string, fix?: string): Issue {
  return { code: "custom", path, message, input: undefined, ...(fix && { params: { fix } }) };
}

/** The errors of a config between its targets and its folders. The rest of the config may have any errors. */
export function findTargetFaults(config: unknown): Issue[] {
  const { targets, zones = "zones", ...others } = mapOf(config);
  const folders = [zones].flat();
  const pathOf = (index: number) => (Array.isArray(zones) ? ["zones", index] : ["zones"]);
  const namesAt = folders.map((folder) => {
    const { targets } = mapOf(folder);
    return targets === undefined ? undefined : [targets].flat();
  });
  if (targets === undefined)
    return namesAt.flatMap((names, index) => {
      const fix = "Add `targets:` with this name, its kind and its address, or remove this key.";
      return names === undefined ? [] : [issue([...pathOf(index), "targets"], "needs `targets:` in this file", fix)];
    });
  if (typeof targets !== "object" || targets === null || Array.isArray(targets)) return []; // the schema reports it
  const known = Object.keys(targets);
  const used = new Set<unknown>();
  const issues: Issue[] = known.length === 0 ? [issue(["targets"], "is empty")] : [];
  for (const [index, names] of namesAt.entries()) {
    for (const name of names ?? known) used.add(name);
    issues.push(...folderFaults(folders[index], { names, known, path: pathOf(index) }));
  }
  // A misspelled name is one error: the target that it means is not said to have no zones.
  const unused = issues.length > 0 ? [] : known.filter((name) => !used.has(name));
  for (const name of unused) {
    const fix = `Name it in an entry of \`zones:\`, such as \`{ path: zones, targets: ${name} }\`, or remove it.`;
    issues.push(issue(["targets", name], "has no zones: no folder names it", fix));
  }
  return [...issues, ...checkVariables(targets), ...checkFolders(targets, folders), ...checkFormer(others)];
}

/** The errors of one folder: no targets although there are several, or unknown ones. */
function folderFaults(
  folder: unknown,
  { names, known, path }: { names: readonly unknown[] | undefined; known: readonly string[]; path: PropertyKey[] },
): Issue[] {
  if (names === undefined) {
    const fix = `Write \`{ path: ${pathText(folder)}, targets: [${known.join(", ")}] }\`, with those that serve its zones.`;
    return known.length > 1 ? [issue(path, "has no targets, so its zones would not be applied anywhere", fix)] : [];
  }
  const isList = Array.isArray(mapOf(folder).targets);
  return names.flatMap((name, at) => {
    if (typeof name !== "string" || known.includes(name)) return [];
    const near = nearest(name, known);
    const fix = near ? `Did you mean "${near}"?` : `Known targets: ${known.join(", ")}.`;
    return [issue([...path, "targets", ...(isList ? [at] : [])], "names a target that is not in `targets:`", fix)];
  });
}

/** Targets whose secrets have the same variable, or one with another meaning. */
function checkVariables(targets: object): Issue[] {
  const known = new Map<string, string>();
  return Object.entries(targets).flatMap(([name, target]) => {
    const kind = kindNameOf(target);
    const secret = kind && secretOf(kind);
    const variable = kind && secretVariable(name, kind);
    if (secret === undefined || variable === undefined) return []; // the schema reports a wrong kind
    const { word } = secret;
    const other = known.get(variable);
    known.set(variable, name);
    if (other !== undefined)
      return [issue(["targets", name], `takes its ${word} from ${variable}, like ${other}`, "Give it another name.")];
    if (!takenVariables.includes(variable)) return [];
    const summary = `would take its ${word} from ${variable}, which has another meaning`;
    return [issue(["targets", name], summary, "Give it another name.")];
  });
}

/**
 * Targets that write their zone files into the folder of another one, whose zones they would take for theirs, or into
 * one of the project, whose serials they would then take for served ones.
 */
function checkFolders(targets: object, folders: readonly unknown[]): Issue[] {
  const known = new Map<string, string>();
  const own = new Set(folders.map((folder) => plainPath(pathText(folder))));
  return Object.entries(targets).flatMap(([name, target]) => {
    const { kind, folder } = mapOf(target);
    if (kind !== "files" || typeof folder !== "string") return []; // the schema reports it
    const path = plainPath(folder);
    if (own.has(path)) {
      const fix = "Name the folder that the name server loads, which is another one.";
      return [issue(["targets", name, "folder"], "is a folder of the project's own zone files", fix)];
    }
    const other = known.get(path);
    known.set(path, name);
    if (other === undefined) return [];
    return [issue(["targets", name, "folder"], `is that of ${other}`, "Give each target a folder of its own.")];
  });
}

/** Settings for the only service of a project without targets. */
function checkFormer(config: Readonly<Record<string, unknown>>): Issue[] {
  const newNames = { api_url: "url", api_words: "words", api_records: "records" } as const;
  return Object.entries(newNames).flatMap(([former, name]) =>
    former in config
      ? [issue([former], "has no meaning beside `targets:`", `Write it as \`${name}\` of a target.`)]
      : [],
  );
}

function plainPath(folder: string): string {
  return normalize(folder).replace(/\/$/, "");
}

function pathText(folder: unknown): string {
  const { path = folder } = mapOf(folder);
  return typeof path === "string" ? path : "zones";
}

function mapOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};
}
