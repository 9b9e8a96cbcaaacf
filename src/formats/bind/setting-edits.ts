import { problemError } from "../../diagnostics/problem.ts";
import { formatDuration } from "../../dns/name/duration.ts";
import { nameKey } from "../../dns/name/name.ts";
import { toOctets } from "../../dns/name/text.ts";
import { isType } from "../../dns/zone/zone.ts";
import type { Setting } from "../../dns/zone/zone-settings.ts";
import { isSoaSetting } from "../edit/reconcile-soa.ts";
import type { Task } from "../edit/rewrite-file.ts";
import type { Splice } from "../edit/splice.ts";
import { writeSetting } from "../kit/setting.ts";
import { ttlText } from "./record-splices.ts";
import type { Range } from "./token-columns.ts";
import type { Tree } from "./tree.ts";

/** The edits of the lines that set settings. */
export interface SettingEdits {
  readonly splices: readonly Splice[];
  /** New lines for the head of the file, without line ends. */
  readonly head: readonly string[];
  /** New times of `$TTL` entries, by their index. */
  readonly ttls: ReadonlyMap<number, number>;
  /** The zone's default TTL after the edits. */
  readonly zoneTtl: number | undefined;
}

/** Plans the edits of directive comments, `$TTL`, and the list of implicit types. */
export function planSettings(task: Task, tree: Tree, isTtlAtEnd: boolean): SettingEdits {
  const plan = new SettingPlanner(task, tree);
  for (const setting of task.previous.settings) plan.planSetting(setting);
  plan.planTtl();
  plan.planImplicit(isTtlAtEnd);
  return plan;
}

class SettingPlanner implements SettingEdits {
  readonly splices: Splice[] = [];
  readonly head: string[] = [];
  readonly ttls = new Map<number, number>();
  zoneTtl: number | undefined;
  readonly #task: Task;
  readonly #tree: Tree;
  readonly #implicit: Set<string>;
  readonly #hadSoa: boolean;
  readonly #hasSoa: boolean;

  constructor(task: Task, tree: Tree) {
    this.#task = task;
    this.#tree = tree;
    this.zoneTtl = tree.zoneTtl;
    this.#hadSoa = hasSoa(task.before.records);
    this.#hasSoa = hasSoa(task.after.records);
    this.#implicit = implicitOf(task, tree, this.#hadSoa && !this.#hasSoa);
  }

  /** The directive comments of a setting; without one, an SOA record and `$TTL` set theirs. */
  planSetting(setting: Setting): void {
    const { name } = setting;
    const hasLine = this.#linesOf(name).length > 0;
    if (!this.#task.difference.settings.includes(name)) {
      if (isSoaSetting(name) && this.#hadSoa && !this.#hasSoa && !hasLine) this.#set(setting);
    } else if (hasLine || (name !== "ttl_sec" && !(isSoaSetting(name) && this.#hasSoa))) this.#set(setting);
  }

  planTtl(): void {
    const { after, difference } = this.#task;
    const wanted = after.settings.ttl_sec;
    if (this.#linesOf("ttl_sec").length > 0) {
      if (wanted === undefined && this.zoneTtl !== undefined) this.#implicit.add("TTL");
    } else if (difference.settings.includes("ttl_sec")) {
      if (wanted === undefined) this.#implicit.add("TTL");
      else if (wanted === 0) this.head.push(";@ ttl_sec: 0");
      else this.#changeTtl(wanted);
    } else if (needsTtlLine(this.#task, this.#tree)) this.head.push(`$TTL ${formatDuration(this.zoneTtl ?? 0)}`);
  }

  planImplicit(isTtlAtEnd: boolean): void {
    if (isTtlAtEnd && this.#task.after.settings.ttl_sec === undefined) this.#implicit.add("TTL");
    const [line] = this.#linesOf("implicit");
    const list = [...this.#implicit].join(", ");
    if (list === [...new Set(this.#tree.implicit)].join(", ")) return;
    if (line) this.splices.push(replaceOrDelete(this.#tree, line, list === "" ? undefined : `implicit: ${list}`));
    else this.head.unshift(`;@ implicit: ${list}`);
  }

  #linesOf(name: string): Tree["settings"] {
    return this.#tree.settings.filter(({ setting }) => setting === name);
  }

  #set(setting: Setting): void {
    const { name } = setting;
    const lines = this.#linesOf(name);
    const value = this.#task.after.settings[name];
    const text = value === undefined ? undefined : `${name}: ${toOctets(writeSetting(setting, value))}`;
    for (const line of lines)
      this.splices.push(replaceOrDelete(this.#tree, line, line === lines.at(-1) ? text : undefined));
    if (lines.length > 0) return;
    if (!(this.#hadSoa && isSoaSetting(name))) refuseElsewhere(this.#task, name);
    if (text !== undefined) this.head.push(`;@ ${text}`);
  }

  /** Changes the `$TTL` entries with the zone's TTL; without any, the SOA record's minimum or a new one sets it. */
  #changeTtl(wanted: number): void {
    const { zoneTtl } = this.#tree;
    this.#implicit.delete("TTL");
    this.zoneTtl = wanted;
    this.#tree.entries.forEach((entry, index) => {
      if (entry.kind === "ttl" && entry.seconds === zoneTtl) this.ttls.set(index, wanted);
    });
    if (this.ttls.size > 0) return;
    if (zoneTtl !== undefined && this.#task.before.places.ttl_sec) refuseElsewhere(this.#task, "ttl_sec");
    const isOfSoa = zoneTtl !== undefined && soaOf(this.#task.after)?.data.minimum === wanted;
    if (!isOfSoa) this.head.push(`$TTL ${formatDuration(wanted)}`);
  }
}

/** Replaces the time of a `$TTL`, in the spelling of the old one. */
export function ttlLineSplice({ entries, text }: Tree, index: number, seconds: number): Splice[] {
  const token = entries[index]?.tokens[1];
  return token ? [{ ...token, text: ttlText(seconds, text.slice(token.start, token.end)) }] : [];
}

function implicitOf({ after }: Task, tree: Tree, losesSoa: boolean): Set<string> {
  const implicit = new Set(tree.implicit);
  if (hasSoa(after.records)) implicit.delete("SOA");
  if (losesSoa) implicit.add("SOA");
  const apex = nameKey(after.name);
  if (after.records.some(({ owner, type }) => type === "NS" && nameKey(owner) === apex)) implicit.delete("NS");
  return implicit;
}

/** Whether the SOA record's minimum, which was the zone's TTL, changes or stops being the default. */
function needsTtlLine({ before, after }: Task, { entries, zoneTtl }: Tree): boolean {
  const gives =
    !entries.some(({ kind }) => kind === "ttl") && zoneTtl !== undefined && soaOf(before)?.data.minimum === zoneTtl;
  const soa = soaOf(after);
  return gives && soa !== undefined && (soa.data.minimum !== zoneTtl || soa.ttl !== undefined);
}

function soaOf({ records }: Task["before"]) {
  return records.find((record) => isType(record, "SOA"));
}

function hasSoa(records: Task["before"]["records"]): boolean {
  return records.some(({ type }) => type === "SOA");
}

/** Replaces the text of a directive comment; the white space around it stays. Without a text, the line is deleted. */
function replaceOrDelete({ text }: Tree, { start, end }: Range, fresh: string | undefined): Splice {
  if (fresh === undefined) return { start, end: Math.min(end + 1, text.length), text: "" };
  const [, before = "", , after = ""] = /^(;@\s*)(.*?)(\s*)$/s.exec(text.slice(start, end)) ?? [];
  return { start: start + before.length, end: end - after.length, text: fresh };
}

/** @throws {ProblemError} `rewrite-include` if an included file sets the setting */
function refuseElsewhere({ before, previous }: Task, name: string): void {
  const place = before.places[name];
  if (before.settings[name] === undefined || place?.file === previous.file) return;
  const where = place ? `${place.file}:${place.line}` : "an included file";
  const summary = `${name} of ${previous.file} is set in ${where}`;
  throw problemError("rewrite-include", summary, { fix: "Edit it there by hand.", place });
}
