import { readdirSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { expect, test } from "vitest";
import type { Setting } from "../src/dns/zone/zone-settings.ts";
import { apiSettings } from "../src/targets/api/settings.ts";
import { Desk } from "./cli/run.ts";
import { formats } from "./formats/api.ts";
import { domainName } from "./names.ts";

test("docs/zone-files.md: the table lists every zone setting", () => {
  const page = readFileSync(resolve(import.meta.dirname, "../docs/zone-files.md"), "utf8");
  const valuesOf = ({ kind, choices }: Setting) => choices?.map((choice) => `\`${choice}\``).join(" or ") ?? kind;
  const rows = apiSettings.map((setting) => {
    const { name, about, example } = setting;
    return `| \`${name}\` | ${valuesOf(setting)} | ${about} | \`${name}: ${example}\` |`;
  });
  const table = ["| setting | value | meaning | example |", "|---|---|---|---|", ...rows].join("\n");
  expect(page).toContain(table);
});

test("docs/zone-files.md: the settings' examples are valid", () => {
  const text = apiSettings.map(({ name, example }) => `${name}: ${example}\n`).join("");
  const { zone, problems } = formats.yaml.read({
    file: "example.com.yaml",
    bytes: Buffer.from(text),
    origin: domainName("example.com."),
  });
  expect(problems).toEqual([]);
  expect(Object.keys(zone.settings).sort()).toEqual(apiSettings.map(({ name }) => name).sort());
});

test("docs/zone-files.md: the template and its use are valid, beside the templates of the package", async () => {
  const root = resolve(import.meta.dirname, "..");
  const [, section = ""] = readFileSync(resolve(root, "docs/zone-files.md"), "utf8").split("## Templates\n");
  const files = [...section.matchAll(/```yaml\n# (\S+)\n(.*?)```/gs)].map(([, file = "", text = ""]) => [file, text]);
  const shipped = readdirSync(resolve(root, "templates")).filter((file) => file.endsWith(".yaml"));
  const templates = shipped.map((file) => [
    `templates/${file}`,
    readFileSync(resolve(root, "templates", file), "utf8"),
  ]);
  const desk = new Desk({
    ...Object.fromEntries([...files, ...templates]),
    "zones/example.net.yaml": "soa_email: a@example.net\ntemplates: [google-workspace, security]\n",
    "zones/example.org.yaml":
      "soa_email: a@example.org\ntemplates: { no-mail: { texts: parked }, security: { issuers: [], contact: https://example.org/caa } }\n",
    "zones/example.info.yaml":
      "soa_email: a@example.info\ntemplates: [{ microsoft-365: { mx: a.mail.protection.outlook.com., dkim1: selector1-example-info._domainkey.contoso.onmicrosoft.com. } }]\n",
  });
  expect(await desk.run("validate")).toEqual({ code: 0, out: "valid: 4 zones, 30 records\n", talk: "" });
  const rows = [...section.matchAll(/^\| \[`([\w-]+)`\]\(\.\.\/templates\/\1\.yaml\) \|.*\| (.*) \|$/gm)];
  const parametersOf = (file: string) =>
    [...readFileSync(resolve(root, "templates", file), "utf8").matchAll(/^ {2}(\w+):\n {4}type: /gm)].map(
      ([, name]) => name,
    );
  expect(
    rows.map(([, name, parameters = ""]) => [
      `${name}.yaml`,
      [...parameters.matchAll(/`(\w+)`/g)].map(([, one]) => one),
    ]),
  ).toEqual(shipped.map((file) => [file, parametersOf(file)]));
});
