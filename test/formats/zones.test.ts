import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { formatProblem } from "../../src/diagnostics/frame.ts";
import { hasErrors, type Place } from "../../src/diagnostics/problem.ts";
import { SourceText } from "../../src/diagnostics/source-text.ts";
import { checkZone } from "../../src/dns/check.ts";
import { excusesByOwner } from "../../src/formats/edit/order.ts";
import { formatOf } from "../../src/formats/formats.ts";
import { FolderIncluder } from "../../src/formats/include.ts";
import { apiSettings } from "../../src/targets/api/settings.ts";
import { isMissing } from "../judges.ts";
import { domainName } from "../names.ts";
import { formats, recordsText, writeBind } from "./api.ts";
import { compileZone, withoutImplicit } from "./named.ts";

const origin = domainName("example.");
const nameservers = [domainName("ns1.example.net.")];

describe("valid zone files", () => {
  const folder = resolve(import.meta.dirname, "../cases/zones/ok");
  const files = readdirSync(folder).filter((file) => formatOf(file));

  test.each(files)("%s: expected records and no errors", async (file) => {
    const { zone, problems } = read(folder, file);
    expect(problems.filter((found) => hasErrors([found]))).toEqual([]);
    await expect(recordsText([zone])).toMatchFileSnapshot(expected(folder, file, "records"));
  });

  test.each(files)("%s: unchanged when written and read again", (file) => {
    const { zone } = read(folder, file);
    for (const { write, read, endings } of Object.values(formats)) {
      const bytes = Buffer.from(write(zone, { nameservers }));
      const again = read({ file: `example${endings[0]}`, bytes, origin });
      expect(again.problems).toEqual([]);
      expect({
        name: again.zone.name,
        settings: again.zone.settings,
        records: recordsText([again.zone]),
        excused: excusesByOwner(again.zone),
      }).toEqual({
        name: zone.name,
        settings: zone.settings,
        records: recordsText([zone]),
        excused: excusesByOwner(zone),
      });
    }
  });

  // No case is left out: what BIND has no form for, it reads as a master file that says the same.
  test.skipIf(isMissing("named-compilezone")).each(files)(
    "%s: named-compilezone reads the same records",
    async (file) => {
      const { zone } = read(folder, file);
      const isMaster = file.endsWith(".zone");
      const bytes = isMaster ? readFileSync(join(folder, file)) : Buffer.from(writeBind(zone, { nameservers }));
      const { records, messages } = await compileZone(zone.name, bytes, folder);
      const judged = isMaster || records === undefined ? records : withoutImplicit(zone, records);
      expect(judged, messages).toBe(readFileSync(expected(folder, file, "records"), "utf8"));
    },
  );
});

describe("invalid zone files", () => {
  const folder = resolve(import.meta.dirname, "../cases/zones/ko");

  test.each(readdirSync(folder).filter((file) => formatOf(file)))("%s: problems", async (file) => {
    const { zone, problems } = read(folder, file);
    const said = [...problems, ...checkZone(zone)];
    const text = said.map((found) => formatProblem(found, lineOf(folder)));
    expect(said).not.toEqual([]);
    await expect(`${text.join("\n\n")}\n`).toMatchFileSnapshot(expected(folder, file, "txt"));
  });
});

function read(folder: string, file: string) {
  const path = join(folder, file);
  const opener = new FolderIncluder({ path: folder, file: "." }, path);
  return (formatOf(file) ?? formats.bind).read({
    file,
    settings: apiSettings,
    bytes: readFileSync(path),
    origin,
    includer: opener,
  });
}

function lineOf(folder: string) {
  return ({ file, line }: Place) =>
    new SourceText(file, readFileSync(join(folder, file), "latin1"), "latin1").line(line);
}

/** `crlf.zone` has its expectation in `crlf.records`, `anchors.yaml` in `anchors.yaml.records`. */
function expected(folder: string, file: string, ending: string): string {
  return join(folder, `${file.replace(/\.zone$/, "")}.${ending}`);
}
