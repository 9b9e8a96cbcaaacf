import { readdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { formatProblem } from "../../src/diagnostics/frame.ts";
import { problemIds, registry } from "../../src/diagnostics/registry.ts";
import { SourceText } from "../../src/diagnostics/source-text.ts";
import { checkZone, rules } from "../../src/dns/check.ts";
import { ruleText } from "../../src/report/api/explanation.ts";
import { fitLines } from "../../src/report/text/columns.ts";
import { accept } from "../../src/targets/api/accept.ts";
import { isRule } from "../../src/workflow/project/switchable.ts";
import { readBind, readYaml } from "../formats/api.ts";
import { domainName } from "../names.ts";

const pages = resolve(import.meta.dirname, "../cases/rules");
const ruled = problemIds.filter(isRule).map((id) => registry[id]);
const explained = ruled.filter(({ example }) => example !== undefined);

/** The reason why no example fits on a page; other tests cover these rules. */
const withoutExample = [
  "alias-alone",
  "apex-ns",
  "axfr-ips-count",
  "bind-refusal",
  "cname-loop-elsewhere",
  "dangling-address",
  "data-length",
  "delegation-differs",
  "dmarc-report-elsewhere",
  "hidden-by-zone",
  "master-ips-count",
  "mx-elsewhere",
  "owner-elsewhere",
  "records-count",
  "rrset-length",
  "spf-include-elsewhere",
  "spf-lookups-elsewhere",
  "tags-count",
  "target-elsewhere",
  "target-is-cname-elsewhere",
  "text-resplit",
  "zone-name-differs",
];

test("every rule has an example, except those that need more than one small zone", () => {
  const missing = ruled.filter((rule) => !explained.includes(rule));
  expect(missing.map(({ id }) => id).sort()).toEqual(withoutExample);
});

describe.each(explained.map((rule) => [rule.id, rule] as const))("%s", (id, rule) => {
  const { valid, invalid, format } = rule.example ?? { valid: "", invalid: "" };
  const file = format === "bind" ? "example.com.zone" : "example.com.yaml";

  test("the valid example has no finding", () => {
    expect(problemsIn(valid, format)).toEqual([]);
  });

  test("the rule's page shows its reason and the findings of its invalid example", async () => {
    const found = problemsIn(invalid, format);
    expect(found.map(({ id }) => id)).toContain(id);
    const source = new SourceText(file, invalid);
    const texts = found.map((found) => formatProblem(found, ({ line }) => source.line(line)));
    const page = `${fitLines(ruleText(rule), 80)}\nWhat is said of "Invalid"\n\n${texts.join("\n\n")}\n`;
    await expect(page).toMatchFileSnapshot(join(pages, `${id}.txt`));
  });
});

test("every rule page belongs to a rule", () => {
  expect(readdirSync(pages).sort()).toEqual(explained.map(({ id }) => `${id}.txt`).sort());
});

test("each zone rule lives in the file named after it", () => {
  const files = readdirSync(resolve(import.meta.dirname, "../../src/dns/rules"));
  expect(rules.map(({ id }) => `${id}.ts`)).toEqual(files.sort());
});

/** The problems of a zone; it gets a contact address, which most examples lack. */
function problemsIn(text: string, format?: "bind") {
  const { zone, problems } = (format === "bind" ? readBind : readYaml)({
    file: `example.com.${format === "bind" ? "zone" : "yaml"}`,
    bytes: Buffer.from(text),
    origin: domainName("example.com."),
  });
  const settings = { soa_email: "hostmaster@example.com", ...zone.settings };
  return [...problems, ...checkZone(zone), ...accept({ ...zone, settings }).problems];
}
