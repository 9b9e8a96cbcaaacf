import { isProblemId } from "../../src/diagnostics/registry.ts";
import type { Setting } from "../../src/dns/zone/zone-settings.ts";
import { readPackagedFile } from "../../src/packaged-file.ts";
import type { Capabilities, TargetKind } from "../../src/targets/target.ts";
import { isRule } from "../../src/workflow/project/switchable.ts";
import { kindOf } from "../../src/workflow/project/target-kind.ts";
import { type Page, prose, table } from "../page.ts";

interface KindSchema {
  readonly properties: Readonly<Record<string, { readonly const?: never; readonly description?: string }>>;
}

/** A page for each kind of target: its settings, and the differences that plans and runs depend on. */
export function listTargets(): Page[] {
  const schema = JSON.parse(readPackagedFile("schemas/config.schema.json"));
  const schemas: readonly KindSchema[] = schema.properties.targets.additionalProperties.oneOf;
  return schemas.flatMap(({ properties }) => {
    const kind = properties.kind?.const;
    if (kind === undefined) return [];
    const forms = kind === "api" ? (["documented", "open"] as const) : [undefined];
    return forms.map((records) => {
      const name = records === "open" ? "api-open" : kind;
      const title = `Targets of kind ${kind}${records === undefined ? "" : `, records ${records}`}`;
      const settings = Object.entries(properties).map(([key, { description = "" }]) => [
        `\`${key}\``,
        prose(description),
      ]);
      return { path: `reference/targets/${name}`, title, text: kindText(title, kindOf({ kind, records }), settings) };
    });
  });
}

function kindText(title: string, kind: TargetKind, settings: readonly string[][]): string {
  const { capabilities, fileSettings = [], recordLimits, strictRules } = kind;
  return [
    `# ${title}`,
    "[Targets](../../targets.md) says how to choose a kind and how to set it up.",
    "## Settings in zonewright.yaml",
    table(["setting", "meaning"], settings),
    "## Capabilities",
    capabilityLines(capabilities).join("\n"),
    "## Settings of its zones",
    table(["setting", "meaning", "default"], [...capabilities.settings, ...fileSettings].map(settingRow)),
    "## Limits on single records",
    "If you lower the severity of one, a record that exceeds it stays in the file and is not sent.",
    problemList(recordLimits),
    "## Rules with a fixed severity",
    "The service refuses zones that violate them.",
    problemList(strictRules),
    "",
  ].join("\n\n");
}

/** What each value of a capability means to a user. A new value does not compile without a sentence. */
const meanings: {
  readonly [K in "changeSets" | "lock" | "zones" | "apex" | "serial"]: Readonly<Record<Capabilities[K], string>>;
} = {
  changeSets: {
    zone: "The changes of a zone take effect at once.",
    none: "Each record is changed by a request of its own, in an order that keeps names resolvable.",
  },
  lock: {
    none: "A write does not notice an edit that someone makes in the instant before it.",
    record: "A write is refused if someone else changed the record.",
    rrset: "A write is refused if someone else changed the RRset.",
    compared: "Records are compared right before a write; an edit in the instant between is lost.",
  },
  zones: {
    "create and delete": "Zones can be created and deleted.",
    neither: "Zones can be neither created nor deleted.",
  },
  apex: {
    service: "The service writes the SOA and NS records of the apex.",
    servers: "The service writes the SOA record of the apex. A zone without NS records has those of the service.",
    ours: "The NS records of the apex are records like any other.",
  },
  serial: {
    service: "The service chooses the serial.",
    ours: "Each write chooses the next serial.",
  },
};

function capabilityLines(capabilities: Capabilities): string[] {
  const { changeSets, lock, zones, apex, serial, events, recordsPerZone } = capabilities;
  return [
    meanings.zones[zones],
    meanings.changeSets[changeSets],
    meanings.lock[lock],
    meanings.apex[apex],
    meanings.serial[serial],
    events ? "Its log of events says who changed a record." : "It keeps no log of who changed a record.",
    ...(recordsPerZone === undefined ? [] : [`A zone has at most ${recordsPerZone.toLocaleString("en")} records.`]),
  ].map((line) => `- ${line}`);
}

function settingRow({ name, about, default: initial, choices }: Setting): string[] {
  const values = choices === undefined ? "" : ` (${choices.map((value) => `\`${value}\``).join(", ")})`;
  return [
    `\`${name}\``,
    `${prose(about)}${values}`,
    initial === "" || String(initial) === "" ? "" : `\`${String(initial)}\``,
  ];
}

/** Links to the ids of a set. */
function problemList(ids: ReadonlySet<string>): string {
  const lines = [...ids].sort().map((id) => {
    const folder = isProblemId(id) && isRule(id) ? "rules" : "errors";
    return `- [${id}](../${folder}/${id.replace("/", "-")}.md)`;
  });
  return lines.length === 0 ? "None." : lines.join("\n");
}
