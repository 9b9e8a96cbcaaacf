import { cpSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { apiDesk, type Desk, lines } from "./run.ts";

const examples = join(import.meta.dirname, "../../zones");

const zone = lines`
  # The shop.
  soa_email: hostmaster@example.com
  records:
    www: # where people look
      A: 192.0.2.10
`;

/** A desk with one applied zone, and an empty folder to import into. */
async function applied(files: Record<string, string> = { "zones/example.com.yaml": zone }) {
  const desk = await apiDesk(files);
  await desk.run("apply --yes");
  return desk;
}

test("writes new zones as files in both formats", async () => {
  const desk = await applied();
  expect(await desk.run("import api --zones yaml")).toEqual({
    code: 0,
    out: "",
    talk: "wrote yaml/example.com.yaml\n1 zone written, 0 unchanged, 0 skipped\n",
  });
  expect(desk.read("yaml/example.com.yaml")).toBe(lines`
    zone: example.com
    soa_email: hostmaster@example.com
    records:
      www:
        A: 192.0.2.10
  `);
  expect(await desk.run("import api --to bind --zones bind")).toEqual({
    code: 0,
    out: "",
    talk: "wrote bind/example.com.zone\n1 zone written, 0 unchanged, 0 skipped\n",
  });
  expect(desk.read("bind/example.com.zone")).toBe(lines`
    ;@ implicit: TTL, SOA, NS
    ;@ soa_email: hostmaster@example.com
    $ORIGIN example.com.
    $TTL 1d
    @   IN SOA ns1.zonewright.invalid. hostmaster 1 14400 14400 1209600 86400
    @   IN NS  ns1.zonewright.invalid.
    @   IN NS  ns2.zonewright.invalid.
    www IN A   192.0.2.10
  `);
});

test("keeps comments of a file with the same meaning", async () => {
  const desk = await applied();
  expect(await desk.run("import api")).toEqual({
    code: 0,
    out: "",
    talk: "0 zones written, 1 unchanged, 0 skipped\n",
  });
  expect(desk.read("zones/example.com.yaml")).toBe(zone);
});

const diff = lines`
  --- git/zones/example.com.yaml
  +++ live/zones/example.com.yaml
  @@ -1,5 +1,5 @@
   # The shop.
   soa_email: hostmaster@example.com
   records:
     www: # where people look
  -    A: 192.0.2.10
  +    A: 192.0.2.66
`;

async function differing(): Promise<Desk> {
  const desk = await applied();
  await desk.call("PUT", "/domains/1/records/1", { target: "192.0.2.66" });
  return desk;
}

test("keeps a file that differs and shows the difference", async () => {
  const desk = await differing();
  expect(await desk.run("import api")).toEqual({
    code: 5,
    out: "",
    talk: lines`
      ${diff.trimEnd()}
      zones/example.com.yaml is kept: it differs from the live zone; --yes overwrites it
      0 zones written, 0 unchanged, 1 skipped
    `,
  });
  expect(desk.read("zones/example.com.yaml")).toBe(zone);
});

test.each(["n", ""])("asks, and keeps the file on %j", async (answer) => {
  const desk = await differing();
  expect((await desk.run("import api", { answer })).code).toBe(5);
  expect(desk.questions).toEqual(["Overwrite zones/example.com.yaml? [y/N] "]);
  expect(desk.read("zones/example.com.yaml")).toBe(zone);
});

test.each([{ answer: "y" }, { flags: "--yes" }])(
  "overwrites on %j, and is in sync afterwards",
  async ({ answer, flags = "" }) => {
    const desk = await differing();
    const { code, talk } = await desk.run(`import api ${flags}`, answer === undefined ? {} : { answer });
    expect([code, talk.slice(diff.length)]).toEqual([
      0,
      "wrote zones/example.com.yaml\n1 zone written, 0 unchanged, 0 skipped\n",
    ]);
    expect((await desk.run("plan")).out).toBe("in sync: 1 zone, nothing to do\n");
  },
);

test("Ctrl-C at a question skips the remaining questions", async () => {
  const desk = await applied({ "zones/example.com.yaml": zone, "zones/example.net.yaml": zone });
  for (const id of [1, 2]) await desk.call("PUT", `/domains/${id}`, { group: "shops" });
  const { code, talk } = await desk.run("import api", { answer: "Ctrl-C" });
  expect([code, talk.split("\n").at(-2), desk.questions.length]).toEqual([
    130,
    "interrupted: no further writes are sent",
    1,
  ]);
});

test("finds a zone's file by its zone name in every folder of the config", async () => {
  const config = { "zonewright.yaml": "zones: [new, old]\n", "new/notes.md": "" };
  const desk = await applied({ ...config, "old/shop.yaml": `zone: example.com\n${zone}` });
  await desk.call("POST", "/domains", { domain: "example.net", type: "master", soa_email: "a@b.example" });
  expect((await desk.run("import api")).talk).toBe(
    "wrote new/example.net.yaml\n1 zone written, 1 unchanged, 0 skipped\n",
  );
  expect((await desk.run("plan")).out).toBe("in sync: 2 zones, nothing to do\n");
});

test("imports only the named zones", async () => {
  const desk = await applied({});
  for (const domain of ["a.example", "b.example"])
    await desk.call("POST", "/domains", { domain, type: "master", soa_email: "a@b.example" });
  await desk.run("import api B.example.");
  expect(Object.keys(desk.files())).toEqual(["zones/b.example.yaml"]);
});

test("reports settings that are live but missing in the file as a difference", async () => {
  const desk = await applied();
  await desk.call("PUT", "/domains/1", { group: "shops" });
  expect((await desk.run("plan")).out).toBe("in sync: 1 zone, nothing to do\n");
  const { code, talk } = await desk.run("import api --yes");
  expect([code, talk.includes("\n+group: shops\n")]).toEqual([0, true]);
  expect((await desk.run("import api")).talk).toBe("0 zones written, 1 unchanged, 0 skipped\n");
});

/** The example zones, and one of each kind that they do not have. */
const others: Record<string, unknown>[] = [
  { domain: "off.example", type: "master", soa_email: "a@b.example", status: "disabled", description: "Later: #1" },
  { domain: "second.example", type: "slave", master_ips: ["192.0.2.53", "2001:db8::53"], tags: ["lab", "a, b"] },
  { domain: "times.example", type: "master", soa_email: "a@b.example", ttl_sec: 300, expire_sec: 604800, group: "g" },
  { domain: "zero.example", type: "master", soa_email: "dns@example.com", axfr_ips: ["192.0.2.53"] },
];

const rows = ["yaml", "bind"].flatMap((form) =>
  [
    "",
    "defaults: { soa_email: dns@example.com, ttl_sec: 1h, refresh_sec: 2h, tags: [shop], axfr_ips: [192.0.2.1], group: g }\n",
  ].map((config) => ({ form, config })),
);

test.each(rows)("import api --to $form, then plan: in sync; config: $config", async ({ form, config }) => {
  const desk = await apiDesk({ "zonewright.yaml": config });
  cpSync(examples, join(desk.folder, "examples"), { recursive: true });
  await desk.run("apply --yes --allow G22 --zones examples");
  for (const domain of others) await desk.call("POST", "/domains", domain);
  expect((await desk.run(`import api --to ${form}`)).talk).toMatch(/7 zones written, 0 unchanged, 0 skipped/);
  expect(await desk.run("plan --detailed-exitcode")).toEqual({
    code: 0,
    out: "in sync: 7 zones, nothing to do\n",
    talk: "",
  });
  const before = desk.files();
  expect((await desk.run(`import api --to ${form}`)).talk).toBe("0 zones written, 7 unchanged, 0 skipped\n");
  expect(desk.files()).toEqual(before);
  expect((await desk.run("export --to records --zones zones")).out).toBe(
    (await desk.run("export --live --to records")).out,
  );
});

test.each(["yaml", "bind"])(
  "errors that zones have together become lenient in %s, and a plan is empty",
  async (format) => {
    const desk = await apiDesk();
    const add = async (domain: string, ...records: object[]) => {
      const sent = { type: "master", domain, soa_email: `hostmaster@${domain}` };
      const { id } = (await desk.call("POST", "/domains", sent)) as { id: number };
      for (const record of records) await desk.call("POST", `/domains/${id}/records`, record);
    };
    await add("example.com", { type: "A", name: "www", target: "192.0.2.1" });
    await add(
      "example.org",
      { type: "MX", name: "", target: "mail.example.com", priority: 10 },
      { type: "TXT", name: "", target: "v=spf1 include:_spf.example.com -all" },
      { type: "CNAME", name: "a", target: "a.example.net" },
    );
    await add("example.net", { type: "CNAME", name: "a", target: "a.example.org" });
    const imported = await desk.run(`import api --to ${format}`);
    expect(imported).toMatchObject({ code: 0, out: "" });
    const ending = { yaml: "yaml", bind: "zone" }[format];
    expect(imported.talk).toContain(
      `note  zones/example.org.${ending} gets \`lenient\` for errors that the zones have together: ` +
        "@ mx-elsewhere, @ spf-include-elsewhere, a cname-loop-elsewhere\n",
    );
    expect(await desk.run("plan --quiet --detailed-exitcode")).toMatchObject({ code: 0 });
    expect((await desk.run("import api")).talk).toBe("0 zones written, 3 unchanged, 0 skipped\n");
  },
);
