import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { apiDesk, Desk, lines } from "./run.ts";

const zone = lines`
  soa_email: hostmaster@example.com
  ttl_sec: 1h
  tags: [shop]
  records:
    "@":
      MX: 10 mail
      TXT: v=spf1 mx -all
    mail:
      A: { ttl_sec: 5m, values: [192.0.2.25, 192.0.2.26] }
    www:
      CNAME: "@"
`;
const files = { "zones/example.com.yaml": zone };

const master = lines`
  $TTL 1h
  @    SOA ns1.example.net. hostmaster.example.com. 7 4h 1h 2w 1h
       NS  ns1.example.net.
       MX  10 Mail ; where it goes
  mail 300 A ( 192.0.2.25 )
`;

const records = lines`
  example.com. 3600 IN MX 10 mail.example.com.
  example.com. 3600 IN TXT "v=spf1 mx -all"
  mail.example.com. 300 IN A 192.0.2.25
  mail.example.com. 300 IN A 192.0.2.26
  www.example.com. 3600 IN CNAME example.com.
`;

const bind = lines`
  ;@ implicit: SOA, NS
  ;@ soa_email: hostmaster@example.com
  ;@ tags: shop
  $ORIGIN example.com.
  $TTL 1h
  @        IN SOA   ns1.zonewright.invalid. hostmaster 1 14400 14400 1209600 3600
  @        IN NS    ns1.zonewright.invalid.
  @        IN NS    ns2.zonewright.invalid.
  @        IN MX    10 mail
  @        IN TXT   "v=spf1 mx -all"
  mail 300 IN A     192.0.2.25
  mail 300 IN A     192.0.2.26
  www      IN CNAME @
`;

const yaml = lines`
  zone: example.com
  soa_email: hostmaster@example.com
  ttl_sec: 1h
  tags: [shop]
  records:
    "@":
      MX: 10 mail
      TXT: v=spf1 mx -all
    mail:
      A:
        ttl_sec: 5m
        values:
          - 192.0.2.25
          - 192.0.2.26
    www:
      CNAME: "@"
`;

test("exports a zone by name in each format", async () => {
  const desk = new Desk(files);
  expect(await desk.run("export example.com --to records")).toEqual({ code: 0, out: records, talk: "" });
  expect(await desk.run("export example.com --to bind")).toEqual({ code: 0, out: bind, talk: "" });
  expect(await desk.run("export example.com --to yaml")).toEqual({ code: 0, out: yaml, talk: "" });
});

test("exports a single file without a project", async () => {
  const desk = new Desk({ "db.example.com": master, other: master });
  const out = lines`
    example.com. 3600 IN MX 10 mail.example.com.
    example.com. 3600 IN NS ns1.example.net.
    example.com. 3600 IN SOA ns1.example.net. hostmaster.example.com. 7 14400 3600 1209600 3600
    mail.example.com. 300 IN A 192.0.2.25
  `;
  expect(await desk.run("export db.example.com --to records")).toEqual({ code: 0, out, talk: "" });
  expect(await desk.run("export other --origin example.com --to records")).toEqual({ code: 0, out, talk: "" });
  expect(await desk.run("export other --origin Example.COM. --to records")).toEqual({ code: 0, out, talk: "" });
  expect(await desk.run("export other --origin a..b --to records")).toEqual({
    code: 3,
    out: "",
    talk: 'error[zone-name] "a..b" is not a valid name: the name has an empty label\n  Remove the double or leading dot.\n',
  });
});

test("sorts the records of several zones as one list", async () => {
  const desk = new Desk({
    ...files,
    "zones/a.example.yaml": "records:\n  zz:\n    A: 192.0.2.1\n  aa:\n    A: 192.0.2.2\n",
  });
  expect((await desk.run("export --to records")).out).toBe(
    `aa.a.example. 86400 IN A 192.0.2.2\n${records}zz.a.example. 86400 IN A 192.0.2.1\n`,
  );
});

test("--out writes a file per zone that reads back the same", async () => {
  const desk = new Desk({ ...files, "zones/a.example.yaml": "records: {}\n" });
  expect(await desk.run("export --to bind --out deep/out")).toEqual({
    code: 0,
    out: "",
    talk: "2 files in deep/out\n",
  });
  expect(Object.keys(desk.files())).toEqual([
    "deep/out/a.example.zone",
    "deep/out/example.com.zone",
    "zones/a.example.yaml",
    "zones/example.com.yaml",
  ]);
  expect(desk.read("deep/out/example.com.zone")).toBe(bind);
  expect((await desk.run("export --zones deep/out --to records")).out).toBe(records);
  expect(await desk.run("export example.com --to yaml --out yaml")).toEqual({
    code: 0,
    out: "",
    talk: "1 file in yaml\n",
  });
  expect((await desk.run("export --zones yaml --to records")).out).toBe(records);
  await desk.run("export --to records --out out");
  expect(desk.read("out/example.com.records")).toBe(records);
});

test("writes the config's name servers into master files", async () => {
  const desk = new Desk({ ...files, "zonewright.yaml": "nameservers: [ns1.example.org, ns2.example.org]\n" });
  const { out } = await desk.run("export example.com --to bind");
  expect(out.match(/^.*(SOA|NS) .*/gm)).toEqual([
    "@        IN SOA   ns1.example.org. hostmaster 1 14400 14400 1209600 3600",
    "@        IN NS    ns1.example.org.",
    "@        IN NS    ns2.example.org.",
  ]);
});

test("exports live records and the zone as rendered by the service", async () => {
  const desk = await apiDesk(files);
  await desk.run("apply --yes");
  await desk.call("POST", "/domains/1/records", { type: "A", name: "API", target: "192.0.2.80" });
  const live = records.replace(
    "example.com. 3600 IN MX",
    "api.example.com. 3600 IN A 192.0.2.80\nexample.com. 3600 IN MX",
  );
  expect(await desk.run("export --live --to records")).toEqual({ code: 0, out: live, talk: "" });
  expect(await desk.run("export example.com --live --to records")).toEqual({ code: 0, out: live, talk: "" });
  expect(await desk.run("export --live --to yaml --out live")).toEqual({ code: 0, out: "", talk: "1 file in live\n" });
  expect((await desk.run("export --zones live --to records")).out).toBe(live);
  expect(await desk.run("export --rendered --to bind")).toEqual({
    code: 0,
    out: lines`
      ; example.com [1]
      $TTL 3600
      @  IN  SOA  ns1.zonewright.invalid. hostmaster.example.com. 2026000001 14400 14400 1209600 3600
      @ NS ns1.zonewright.invalid.
      @ NS ns2.zonewright.invalid.
      @ TXT "v=spf1 mx -all"
      mail 300 A 192.0.2.25
      mail 300 A 192.0.2.26
      @ MX 10 mail.example.com.
      www CNAME example.com.
      API A 192.0.2.80
    `,
    talk: "",
  });
  await desk.run("export --rendered --to bind --out rendered");
  expect((await desk.run("export --zones rendered --to records")).out.replaceAll(/.* IN (SOA|NS) .*\n/g, "")).toBe(
    live,
  );
});

test("reports records that the service does not render, and refuses where they were requested", async () => {
  const desk = await apiDesk(files);
  await desk.run("apply --yes");
  await desk.call("POST", "/domains", {
    domain: "off.example",
    type: "master",
    soa_email: "a@b.example",
    status: "disabled",
  });
  expect(await desk.run("export --rendered --to bind --out out")).toEqual({
    code: 0,
    out: "",
    talk: "off.example is skipped: the service does not render it\n1 file in out\n",
  });
  expect(await desk.run("export off.example --rendered --to bind")).toEqual({
    code: 1,
    out: "",
    talk: "error[not-rendered] the service has not rendered off.example\n  Try again in a moment; a disabled zone is not rendered.\n",
  });
});

test("does not export an invalid zone or a zone in two files", async () => {
  const desk = new Desk({ ...files, "zones/b.yaml": `zone: example.com\n${zone}` });
  expect((await desk.run("export --to bind --out out")).code).toBe(3);
  desk.write("zones/b.yaml", "records: { www: { A: nowhere } }\n");
  expect((await desk.run("export --to bind --out out")).code).toBe(3);
  expect(Object.keys(desk.files())).toEqual(["zones/b.yaml", "zones/example.com.yaml"]);
});

test("keeps zones with unsafe file names from overwriting others", async () => {
  const desk = new Desk({
    "zones/a.yaml": "zone: 0/25.2.0.192.in-addr.arpa\nrecords: {}\n",
    "zones/b.yaml": "zone: 0_25.2.0.192.in-addr.arpa\nrecords: {}\n",
    "zones/c.yaml": "zone: '*.example.com'\nrecords: {}\n",
  });
  await desk.run("export --to bind --out out");
  expect(Object.keys(desk.files()).filter((file) => file.startsWith("out"))).toEqual([
    "out/%2a.example.com.zone",
    "out/0%2f25.2.0.192.in-addr.arpa.zone",
    "out/0_25.2.0.192.in-addr.arpa.zone",
  ]);
  expect((await desk.run("validate --zones out")).out.split("\n").at(-2)).toMatch(/: 3 zones, /);
});

test("writes through a symbolic link to its target", async () => {
  const desk = new Desk({ ...files, "elsewhere/x.zone": "before\n", "out/notes": "" });
  symlinkSync("../elsewhere/x.zone", join(desk.folder, "out/example.com.zone"));
  await desk.run("export example.com --to bind --out out");
  expect([desk.read("out/example.com.zone"), desk.read("elsewhere/x.zone")]).toEqual([bind, bind]);
});
