import { ProblemError, problem } from "../../diagnostics/problem.ts";
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
  const { before, after, difference } = task;
  const splices: Splice[] = [];
  const head: string[] = [];
  const ttls = new Map<number, number>();
  const had = hasSoa(before.records);
  const has = hasSoa(after.records);
  const implicit = implicitOf(task, tree, had && !has);
  const hasLine = (name: string) => tree.settings.some(({ setting }) => setting === name);
  const isElsewhere = (name: string) =>
    before.settings[name] !== undefined &&
    !(had && isSoaSetting(name)) &&
    before.places[name]?.file !== task.previous.file;
  let { zoneTtl } = tree;
  const { settings: known } = task.previous;
  const set = (setting: Setting) => {
    const { name } = setting;
    const lines = tree.settings.filter(({ setting }) => setting === name);
    const value = after.settings[name];
    const last = lines.at(-1);
    const text = value === undefined ? "" : `${name}: ${toOctets(writeSetting(setting, value))}`;
    if (last) {
      for (const line of lines)
        splices.push(value === undefined || line !== last ? deleteLine(tree, line) : replaceSetting(tree, line, text));
    } else if (isElsewhere(name)) {
      throw elsewhereError(task, name);
    } else if (value !== undefined) head.push(`;@ ${text}`);
  };
  for (const setting of known) {
    const { name } = setting;
    const isOfSoa = isSoaSetting(name);
    if (!difference.settings.includes(name)) {
      if (isOfSoa && had && !has && !hasLine(name)) set(setting);
    } else if (name === "ttl_sec" ? hasLine(name) : !isOfSoa || !has || hasLine(name)) set(setting);
  }
  const wanted = after.settings.ttl_sec;
  if (hasLine("ttl_sec")) {
    if (wanted === undefined && zoneTtl !== undefined) implicit.add("TTL");
  } else if (difference.settings.includes("ttl_sec")) {
    if (wanted === undefined) implicit.add("TTL");
    else if (wanted === 0) head.push(";@ ttl_sec: 0");
    else {
      implicit.delete("TTL");
      tree.entries.forEach((entry, index) => {
        if (entry.kind === "ttl" && entry.seconds === zoneTtl) ttls.set(index, wanted);
      });
      const minimum = after.records.find((record) => isType(record, "SOA"))?.data.minimum;
      const isOfSoa = ttls.size === 0 && zoneTtl !== undefined && minimum === wanted;
      if (
        ttls.size === 0 &&
        zoneTtl !== undefined &&
        before.places.ttl_sec &&
        before.places.ttl_sec.file !== task.previous.file
      )
        throw elsewhereError(task, "ttl_sec");
      if (ttls.size === 0 && !isOfSoa) head.push(`$TTL ${formatDuration(wanted)}`);
      zoneTtl = wanted;
    }
  } else if (needsTtlLine(task, tree)) head.push(`$TTL ${formatDuration(zoneTtl ?? 0)}`);
  if (isTtlAtEnd && wanted === undefined) implicit.add("TTL");
  const line = tree.settings.find(({ setting }) => setting === "implicit");
  const list = [...implicit].join(", ");
  if (list !== [...new Set(tree.implicit)].join(", ")) {
    if (!line) head.unshift(`;@ implicit: ${list}`);
    else splices.push(list === "" ? deleteLine(tree, line) : replaceSetting(tree, line, `implicit: ${list}`));
  }
  return { splices, head, ttls, zoneTtl };
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
  const soaOf = ({ records }: Task["before"]) => records.find((record) => isType(record, "SOA"));
  const gives =
    !entries.some(({ kind }) => kind === "ttl") && zoneTtl !== undefined && soaOf(before)?.data.minimum === zoneTtl;
  const soa = soaOf(after);
  return gives && soa !== undefined && (soa.data.minimum !== zoneTtl || soa.ttl !== undefined);
}

function hasSoa(records: Task["before"]["records"]): boolean {
  return records.some(({ type }) => type === "SOA");
}

/** Replaces the text of a directive comment; the white space around it stays. */
function replaceSetting({ text }: Tree, { start, end }: Range, fresh: string): Splice {
  const [, before = "", , after = ""] = /^(;@\s*)(.*?)(\s*)$/s.exec(text.slice(start, end)) ?? [];
  return { start: start + before.length, end: end - after.length, text: fresh };
}

function deleteLine({ text }: Tree, { start, end }: Range): Splice {
  return { start, end: Math.min(end + 1, text.length), text: "" };
}

function elsewhereError({ before, previous }: Task, name: string) {
  const at = before.places[name];
  const where = at ? `${at.file}:${at.line}` : "an included file";
  return new ProblemError(
    problem("rewrite-include", `${name} of ${previous.file} is set in ${where}`, {
      fix: "Edit it there by hand.",
      place: at,
    }),
  );
}
