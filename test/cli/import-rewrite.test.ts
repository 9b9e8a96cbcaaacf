import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { apiDesk, lines } from "./run.ts";

const rows: { what: string; file: string; before: string; after: string }[] = [
  {
    what: "YAML",
    file: "zones/example.com.yaml",
    before: lines`
      # The shop.
      soa_email: hostmaster@example.com # ours
      ttl_sec: 1000 # stored as 3600
      records:
        "@":
          NS: ns1.example.net. # the service has its own
        www: # where people look
          A: 192.0.2.10 # the balancer
          AAAA: &six 2001:db8::1
        ftp: { AAAA: *six }
    `,
    after: lines`
      # The shop.
      soa_email: hostmaster@example.com # ours
      ttl_sec: 1000 # stored as 3600
      tags: [shop]
      records:
        "@":
          NS: ns1.example.net. # the service has its own
        www: # where people look
          A: 192.0.2.66 # the balancer
          AAAA: &six 2001:db8::1
          TXT: new
        ftp: { AAAA: *six }
    `,
  },
  {
    what: "a master file, whose SOA record cannot say what the service has",
    file: "zones/example.com.zone",
    before: lines`
      ; The shop.
      $TTL 1h
      @    SOA ns1.example.net. hostmaster ( 1 ; serial
                4h 4h 2w 1h )
      ; where people look
      www  A    192.0.2.10 ; the balancer
           AAAA 2001:db8::1
    `,
    after: lines`
      ; The shop.
      ;@ tags: shop
      $TTL 1h
      @    SOA ns1.example.net. hostmaster ( 1 ; serial
                4h 4h 2w 1h )
      ; where people look
      www  A    192.0.2.66 ; the balancer
           AAAA 2001:db8::1
           TXT  "new"
    `,
  },
];

test.each(rows)("import api into $what keeps comments and is in sync afterwards", async ({ file, before, after }) => {
  const desk = await apiDesk({ [file]: before });
  expect((await desk.run("apply --yes")).code).toBe(0);
  const { data } = await desk.call("GET", "/domains/1/records");
  const address = data.find(({ type }: { type: string }) => type === "A");
  await desk.call("PUT", `/domains/1/records/${address.id}`, { target: "192.0.2.66" });
  await desk.call("POST", "/domains/1/records", { type: "TXT", name: "www", target: "new" });
  await desk.call("PUT", "/domains/1", { tags: ["shop"] });
  expect((await desk.run("import api --yes")).code).toBe(0);
  expect(desk.read(file)).toBe(after);
  expect((await desk.run("plan")).out).toMatch(/^in sync/m);
});

test("leaves an override without records, and its comments, where it is", async () => {
  const before = lines`
    soa_email: h@example.com
    templates: [svc]
    records:
      # no service here: the office moved
      _x._tcp: { SRV: { override: true, values: [] } } # until May
      www:
        A: 192.0.2.1
      last: { TXT: end }
  `;
  const desk = await apiDesk({
    "templates/svc.yaml": "records: { _x._tcp: { SRV: 5 0 443 a.example.net. } }\n",
    "zones/example.com.yaml": before,
  });
  await desk.run("apply --yes");
  await desk.call("POST", "/domains/1/records", { type: "A", name: "new", target: "192.0.2.9" });
  expect((await desk.run("import api --yes")).code).toBe(0);
  expect(desk.read("zones/example.com.yaml")).toBe(`${before}  new:\n    A: 192.0.2.9\n`);
});

test("writes settings that contradict the SOA record beside it", async () => {
  const file = "zones/example.com.zone";
  const head = "$TTL 1h\n@ SOA ns1.example.net. hostmaster 1 2h 4h 2w 1h ; ours\n";
  const desk = await apiDesk({ [file]: head });
  await desk.run("apply --yes");
  await desk.call("PUT", "/domains/1", { refresh_sec: 0 });
  await desk.run("import api --yes");
  expect(desk.read(file)).toBe(
    `;@ implicit: SOA\n;@ soa_email: hostmaster@example.com\n;@ retry_sec: 4h\n;@ expire_sec: 2w\n${head}`,
  );
  expect((await desk.run("plan")).out).toMatch(/^in sync/m);
});

test("leaves records of an included file to the user; imports other zones", async () => {
  const head = "$TTL 1h\n@ SOA ns1.example.net. hostmaster 1 4h 4h 2w 1h\n";
  const desk = await apiDesk({
    "zones/example.com.zone": `${head}$INCLUDE hosts.inc\n`,
    "zones/hosts.inc": "www A 192.0.2.1\n",
    "zones/example.net.zone": `${head}www A 192.0.2.1 ; here\n`,
  });
  await desk.run("apply --yes");
  for (const id of [1, 2]) {
    const { data } = await desk.call("GET", `/domains/${id}/records`);
    await desk.call("PUT", `/domains/${id}/records/${data[0].id}`, { target: "192.0.2.66" });
  }
  const { code, talk } = await desk.run("import api --yes");
  expect([code, talk.split("\n").slice(0, 5).join("\n")]).toEqual([
    5,
    lines`
      error[rewrite-include] www.example.com. A changes, but it is in an included file
        zones/hosts.inc:1:1
          1 | www A 192.0.2.1
            | ^^^^^^^^^^^^^^^
        Edit zones/hosts.inc:1 by hand.
    `.trimEnd(),
  ]);
  expect(desk.read("zones/hosts.inc")).toBe("www A 192.0.2.1\n");
  expect(desk.read("zones/example.net.zone")).toBe(`${head}www A 192.0.2.66 ; here\n`);
});

test("merges nothing into a file with octets that are not UTF-8, from the account or from files", async () => {
  const soa = "$TTL 1h\n@ SOA ns1.example.net. hostmaster 1 4h 4h 2w 1h\n";
  const desk = await apiDesk({ "in/example.com.zone": `${soa}www A 192.0.2.66\n` });
  const path = join(desk.folder, "zones/example.com.zone");
  const octets = Buffer.from(`; caf\u00e9\n${soa}www A 192.0.2.1\n`, "latin1");
  mkdirSync(dirname(path));
  writeFileSync(path, octets);
  await desk.run("apply --yes");
  const { data } = await desk.call("GET", "/domains/1/records");
  const address = data.find(({ type }: { type: string }) => type === "A");
  await desk.call("PUT", `/domains/1/records/${address.id}`, { target: "192.0.2.66" });
  const summary = "zones/example.com.zone has octets that are not UTF-8, so nothing is merged into it";
  const fix = "Write such octets as escapes, for example \\233, or save the file as UTF-8. Then import again.";
  const api = await desk.run("import api --yes");
  const file = await desk.run("import file in --yes");
  expect([api.code, api.talk, file.code, file.talk]).toEqual([
    5,
    `error[rewrite-inexact] ${summary}\n  ${fix}\n0 zones written, 0 unchanged, 1 skipped\n`,
    1,
    `error[rewrite-inexact] example.com: ${summary}\n  ${fix}\n`,
  ]);
  expect(readFileSync(path)).toEqual(octets);
});
