// @suite long

import { rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { isNightly } from "../properties.ts";
import { apiDesk, type Desk } from "./run.ts";

const head = "soa_email: hostmaster@example.com\n";
const many = (count: number, address = "192.0.2.1") =>
  Array.from({ length: count }, (_, index) => `  n${index}: { A: ${address} }\n`).join("");

interface Row {
  what: string;
  /** The zone files before, applied, and after, by zone. */
  before?: Record<string, string>;
  after: Record<string, string>;
  options?: string;
  /** The text of the forecast. */
  apply: string;
}

const rows: Row[] = [
  {
    what: "creates",
    before: { a: `${head}records: {}\n` },
    after: { a: `${head}records:\n${many(3)}` },
    apply: "3 writes and 5 reads",
  },
  {
    what: "updates",
    before: { a: `${head}records:\n${many(3)}` },
    after: { a: `${head}records:\n${many(3, "192.0.2.9")}` },
    apply: "3 writes and 8 reads",
  },
  {
    what: "deletes",
    before: { a: `${head}records:\n${many(3)}` },
    after: { a: `${head}records: {}\n` },
    apply: "3 writes and 8 reads",
  },
  {
    what: "a swap",
    before: { a: `${head}records:\n  www: { A: [192.0.2.1, 192.0.2.2] }\n` },
    after: { a: `${head}records:\n  www: { CNAME: x.example.net. }\n` },
    apply: "3 writes and 7 reads",
  },
  {
    what: "a swap back",
    before: { a: `${head}records:\n  www: { CNAME: x.example.net. }\n` },
    after: { a: `${head}records:\n  www: { A: [192.0.2.1, 192.0.2.2] }\n` },
    apply: "3 writes and 6 reads",
  },
  {
    what: "settings",
    before: { a: `${head}records: {}\n` },
    after: { a: `${head}tags: [shop]\nrecords: {}\n` },
    apply: "1 write and 6 reads",
  },
  {
    what: "a zone that is disabled",
    before: { a: `${head}records:\n${many(1)}` },
    after: { a: `${head}status: disabled\nrecords:\n${many(2)}` },
    apply: "2 writes and 6 reads",
  },
  { what: "a new zone", after: { a: `${head}records:\n${many(2)}` }, apply: "4 writes and 6 reads" },
  {
    what: "a new zone that is disabled",
    after: { a: `${head}status: disabled\nrecords:\n${many(2)}` },
    apply: "3 writes and 3 reads",
  },
  { what: "a new slave zone", after: { a: "type: slave\nmaster_ips: [192.0.2.53]\n" }, apply: "2 writes and 6 reads" },
  {
    what: "a zone that is deleted",
    before: { a: `${head}records:\n${many(2)}`, b: `${head}records: {}\n` },
    after: { b: `${head}records: {}\n` },
    options: "--delete-zone a.example",
    apply: "1 write and 3 reads",
  },
  {
    what: "several zones, one of them in sync",
    before: { a: `${head}records: {}\n`, b: `${head}records: {}\n` },
    after: { a: `${head}records:\n${many(1)}`, b: `${head}records: {}\n`, c: `${head}records: {}\n` },
    apply: "3 writes and 10 reads",
  },
  {
    what: "pages of records, more after than before",
    before: { a: `${head}records:\n${many(500)}` },
    after: { a: `${head}records:\n${many(501)}` },
    apply: "1 write and 6 reads",
  },
  {
    what: "pages of records, fewer after than before",
    before: { a: `${head}records:\n${many(501)}` },
    after: { a: `${head}records:\n${many(499)}` },
    apply: "2 writes and 8 reads",
  },
];

function lay(desk: Desk, files: Record<string, string>): void {
  for (const [zone, text] of Object.entries(files)) desk.write(`zones/${zone}.example.yaml`, text);
}

// Outside of the nightly run, one of the two rows with pages of records.
test.each(isNightly ? rows : rows.slice(0, -1))(
  "the forecast equals the requests that apply sends: $what",
  async ({ before, after, options = "", apply }) => {
    const sent = { GET: 0, others: 0 };
    const desk = await apiDesk({}, (server) => (request, connection) => {
      if (request.method === "GET") sent.GET++;
      else sent.others++;
      return server(request, connection);
    });
    const allow = "--allow G01,G02,G03,G06,G32,G33";
    if (before) {
      lay(desk, before);
      expect((await desk.run(`apply --yes ${allow}`)).code).toBe(0);
    }
    for (const zone of Object.keys(before ?? {}))
      if (!(zone in after)) rmSync(join(desk.folder, `zones/${zone}.example.yaml`));
    lay(desk, after);
    Object.assign(sent, { GET: 0, others: 0 });
    const { code, out } = await desk.run(`apply --yes ${allow} ${options}`);
    const [, reads, writes, looks] =
      / · (\d+) reads?\napply sends (\d+) writes? and (\d+) reads? \(no rate limit\)\n/.exec(out) ?? [];
    expect({ code, apply: `${writes} ${writes === "1" ? "write" : "writes"} and ${looks} reads` }).toEqual({
      code: 0,
      apply,
    });
    expect(sent).toEqual({ GET: Number(reads) + Number(looks), others: Number(writes) });
  },
  120_000,
);
