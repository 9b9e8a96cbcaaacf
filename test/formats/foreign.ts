import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { root } from "../../src/dns/name/name.ts";
import { rdataText } from "../../src/dns/zone/zone.ts";
import type { ForeignFormat, ForeignZone } from "../../src/formats/foreign/foreign-format.ts";
import { foreignFormats } from "../../src/formats/formats.ts";
import { apiSettings } from "../../src/targets/api/settings.ts";

export const cases = resolve(import.meta.dirname, "../cases");

/** Reads a file of another tool with the reader that recognises it. */
export function readForeign(file: string, contents: string | object) {
  const text = typeof contents === "string" ? contents : JSON.stringify(contents);
  const foreign = { file, bytes: Buffer.from(text), origin: root, settings: apiSettings };
  const format = foreignFormats.find(({ recognises }) => recognises(foreign));
  if (!format) throw new Error(`no reader recognises ${file}`);
  return { format: format as ForeignFormat, ...format.read(foreign) };
}

export function readCase(file: string) {
  return readForeign(file, readFileSync(join(cases, file), "utf8"));
}

/** A line for each record, setting, pattern and problem of a zone. */
export function linesOf({ name, settings, records, unread, scope, problems, origins }: ForeignZone): string[] {
  return [
    `zone ${name}`,
    ...Object.entries(settings).map(([key, value]) => `${key}: ${value}`),
    ...(scope?.manage ? [`manage: ${scope.manage}`] : []),
    ...(scope?.ignore ?? []).map(({ reason, ...pattern }) => `ignore: ${JSON.stringify(pattern)} ${reason}`),
    ...records.map((record, index) => {
      const origin = origins?.[index];
      const ttl = record.ttl ?? "-";
      return `${record.owner} ${ttl} ${record.type} ${rdataText(record)}${origin === undefined ? "" : ` ; ${origin}`}`;
    }),
    ...unread.map(({ owner, ttl, type, reason }) => `unread: ${owner} ${ttl ?? "-"} ${type}: ${reason}`),
    ...problems.map(({ severity, id, summary }) => `${severity}[${id}] ${summary}`),
  ];
}
