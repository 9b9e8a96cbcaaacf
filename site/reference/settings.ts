import { readPackagedFile } from "../../src/packaged-file.ts";
import { variables } from "../../src/workflow/project/variables.ts";
import { block, type Page, prose, table } from "../page.ts";

interface Schema {
  readonly description?: string;
  readonly default?: unknown;
  readonly examples?: readonly unknown[];
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: Schema | boolean;
}

/** A page for each setting of `zonewright.yaml` and of YAML zone files, and one for the environment. */
export function listSettings(): Page[] {
  return [
    ...pagesOf("config", "zonewright.yaml", "../../configuration.md"),
    ...pagesOf("zone", "a YAML zone file", "../../zone-files.md"),
    {
      path: "reference/settings/environment",
      title: "Variables of the environment",
      text: [
        "# Variables of the environment",
        table(
          ["variable", "meaning"],
          [...variables].map(([name, about]) => [`\`${name}\``, prose(about)]),
        ),
        "[Configuration](../../configuration.md) says which of several places counts.",
        "",
      ].join("\n\n"),
    },
  ];
}

function pagesOf(name: string, place: string, guide: string): Page[] {
  const schema = JSON.parse(readPackagedFile(`schemas/${name}.schema.json`)) as Schema;
  return Object.entries(schema.properties ?? {}).map(([setting, one]) => ({
    path: `reference/settings/${name}-${setting.replace("$", "")}`,
    title: `${setting} (${place})`,
    text: [`# ${setting}`, `A setting of ${place}.`, settingText(setting, one), `See [the guide](${guide}).`, ""].join(
      "\n\n",
    ),
  }));
}

function settingText(name: string, schema: Schema): string {
  const inner = Object.entries(schema.properties ?? {});
  return [
    ...(schema.description === undefined ? [] : [`${prose(schema.description)}.`]),
    ...(schema.enum === undefined ? [] : [`One of ${schema.enum.map((value) => `\`${String(value)}\``).join(", ")}.`]),
    ...(inner.length === 0 && schema.default !== undefined ? [`Default: \`${JSON.stringify(schema.default)}\`.`] : []),
    ...(schema.examples?.[0] === undefined ? [] : ["Example:", block(exampleOf(name, schema.examples[0]), "yaml")]),
    ...(inner.length === 0 ? [] : [table(["setting", "meaning", "default"], inner.map(rowOf))]),
  ].join("\n\n");
}

const exampleOf = (name: string, value: unknown) => `${name}: ${JSON.stringify(value)}`;

function rowOf([name, { description = "", default: initial }]: [string, Schema]): string[] {
  return [`\`${name}\``, prose(description), initial === undefined ? "" : `\`${JSON.stringify(initial)}\``];
}
