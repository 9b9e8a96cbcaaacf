import { stringify } from "yaml";
import type { Field } from "../../src/dns/rdata/field.ts";
import type { RecordType } from "../../src/dns/rdata/record-type.ts";
import { recordTypes } from "../../src/dns/types/index.ts";
import { block, type Page, prose, table } from "../page.ts";

/** A page for each record type with a form of its own. */
export function listRecordTypes(): Page[] {
  return recordTypes.map((type) => ({
    path: `reference/record-types/${type.type}`,
    title: `${type.type} records`,
    text: typeText(type),
  }));
}

function typeText({ type, code, fields, ownerFields }: RecordType): string {
  const data = fields.map(({ example }) => example).join(" ");
  return [
    `# ${type} records`,
    `Type ${code}. ${data === "" ? "It has no data." : "In a zone file:"}`,
    ...(data === "" ? [] : [block(`host 3600 IN ${type} ${data}`)]),
    ...(fields.length === 0
      ? []
      : [
          "In a YAML file, in one line or as an object:",
          block(stringify({ records: { host: { [type]: data } } }), "yaml"),
          ...(fields.length === 1
            ? []
            : [block(stringify({ records: { host: { [type]: Object.fromEntries(fields.map(entryOf)) } } }), "yaml")]),
          "## Fields",
          table(["field", "meaning", "example", "default in an object"], fields.map(rowOf)),
        ]),
    ...(ownerFields === undefined
      ? []
      : [`In the API, ${ownerFields.map((name) => `\`${name}\``).join(" and ")} are the first labels of the name.`]),
    "[Zone files](../../zone-files.md) describes both formats.",
    "",
  ].join("\n\n");
}

function entryOf({ name, kind, example }: Field): [string, unknown] {
  return [name, kind.json === "integer" ? Number(example) : example.replace(/^"(.*)"$/, "$1")];
}

function rowOf({ name, apiName, about, example, default: initial }: Field): string[] {
  const shown = apiName === undefined ? `\`${name}\`` : `\`${name}\`, or \`${apiName}\` as in the API`;
  return [shown, prose(about), `\`${example}\``, initial === undefined ? "" : `\`${String(initial)}\``];
}
