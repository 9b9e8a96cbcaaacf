import { expect, test } from "vitest";
import { apiDesk, lines } from "./run.ts";

/** Sequences that a terminal, a log or a CI obeys. The harness asserts that no run shows them. */
const hostile = "a\u001b[2Jb\n::error::c\r##[group]d\u202ee\u0085f\u2028g\u009b31mh\ti";

const mine = "soa_email: hostmaster@example.com\nrecords:\n  www:\n    A: 192.0.2.1\n";

/** A zone that another client has changed through the API. */
async function attacked() {
  const desk = await apiDesk({ "zones/example.com.yaml": mine });
  const domain = { domain: "example.com", type: "master", soa_email: "hostmaster@example.com" };
  await desk.call("POST", "/domains", { ...domain, description: hostile, tags: ["tag"] });
  // The server refuses such tags, and other servers may have them.
  await desk.store.write((db) => db.updateTable("tags").set({ label: hostile }).execute());
  const records = [
    { type: "TXT", name: "txt", target: hostile },
    { type: "TXT", name: "", target: "\n::error::at the start" },
    { type: "TXT", name: "::error::name", target: "##vso[task.complete]" },
    { type: "A", name: "www", target: "192.0.2.2" },
  ];
  for (const record of records) await desk.call("POST", "/domains/1/records", record);
  return desk;
}

const json = String.raw`"a\u001b[2Jb\n::error::c\r\u0023#[group]d\u202ee\u0085f\u2028g\u009b31mh\ti"`;
const yaml = json.replace(String.raw`\u001b`, String.raw`\e`);
const master = String.raw`"a\027[2Jb\010::error::c\013\035#[group]d\226\128\174e\194\133f\226\128\168g\194\15531mh\009i"`;

const shown = master.replace(String.raw`\035#`, String.raw`#\x23`);

const exports: { command: string; out: string }[] = [
  {
    command: "export --live --to records",
    out: lines`
      \058:error::name.example.com. 86400 IN TXT "\035#vso[task.complete]"
      example.com. 86400 IN TXT "\010::error::at the start"
      txt.example.com. 86400 IN TXT ${master}
      www.example.com. 86400 IN A 192.0.2.2
    `,
  },
  {
    command: "export --live --to bind",
    out: lines`
      ;@ implicit: TTL, SOA, NS
      ;@ description: ${json}
      ;@ soa_email: hostmaster@example.com
      ;@ tags: [${json}]
      $ORIGIN example.com.
      $TTL 1d
      @             IN SOA ns1.zonewright.invalid. hostmaster 1 14400 14400 1209600 86400
      @             IN NS  ns1.zonewright.invalid.
      @             IN NS  ns2.zonewright.invalid.
      @             IN TXT "\010::error::at the start"
      \058:error::name IN TXT "\035#vso[task.complete]"
      txt           IN TXT ${master}
      www           IN A   192.0.2.2
    `,
  },
  {
    command: "export --live --to yaml",
    out: lines`
      zone: example.com
      description: ${yaml}
      soa_email: hostmaster@example.com
      tags: [${yaml}]
      records:
        "@":
          TXT: "\n::error::at the start"
        "::error::name":
          TXT: "\u0023#vso[task.complete]"
        txt:
          TXT: ${yaml}
        www:
          A: 192.0.2.2
    `,
  },
  {
    command: "export --rendered --to bind",
    out: lines`
      ; example.com [1]
      $TTL 86400
      @  IN  SOA  ns1.zonewright.invalid. hostmaster.example.com. 2026000001 14400 14400 1209600 86400
      @ NS ns1.zonewright.invalid.
      @ NS ns2.zonewright.invalid.
      txt TXT ${master}
      @ TXT "\010::error::at the start"
      \058:error::name TXT "\035#vso[task.complete]"
      www A 192.0.2.2
    `,
  },
];

test.each(exports)("$command", async ({ command, out }) => {
  const desk = await attacked();
  expect(await desk.run(command)).toEqual({ code: 0, out, talk: "" });
});

test.each(["bind", "yaml"])("export to %s keeps the data", async (form) => {
  const desk = await attacked();
  await desk.run(`export --live --to ${form} --out out`);
  expect(await desk.run("plan --zones out")).toEqual({ code: 0, out: "in sync: 1 zone, nothing to do\n", talk: "" });
});

test("plan and apply", async () => {
  const desk = await attacked();
  const out = lines`
    example.com                               ~1 change  -3 delete
      1 ~ change  www            A    86400  192.0.2.2 → 192.0.2.1                                       updated in place; caches may keep the old value for up to 1 day  zones/example.com.yaml:4
      2 - delete  @              TXT  86400  "\010::error::at the start"                                 caches may keep it for up to 1 day
      3 - delete  ::error::name  TXT  86400  "#\x23vso[task.complete]"                                   caches may keep it for up to 1 day
      4 - delete  txt            TXT  86400  ${shown}  caches may keep it for up to 1 day
    plan: 4 changes in 1 of 1 zone · effects 111807e6 · 2 reads
    apply sends 4 writes and 9 reads (no rate limit)
  `;
  expect(await desk.run("plan")).toEqual({ code: 0, out, talk: "" });
  const applied = await desk.run("apply --yes --verbose");
  const [first, ...rest] = applied.talk.trimEnd().split("\n");
  expect({ ...applied, talk: [first, ...rest.slice(0, -1).sort(), rest.at(-1)] }).toEqual({
    code: 0,
    out: `${out}applied and verified: 1 zone is as planned\n`,
    talk: [
      "example.com: 4 writes",
      // Writes that need nothing of each other are under way side by side, and end in any order.
      "  example.com: changed www A 192.0.2.2 to 192.0.2.1",
      '  example.com: deleted ::error::name TXT "#\\x23vso[task.complete]"',
      '  example.com: deleted @ TXT "\\010::error::at the start"',
      `  example.com: deleted txt TXT ${shown}`,
      "example.com: done",
    ],
  });
});

test("import api shows the differences", async () => {
  const desk = await attacked();
  const { code, talk } = await desk.run("import api");
  expect({ code, talk }).toEqual({
    code: 5,
    talk: lines`
      --- git/zones/example.com.yaml
      +++ live/zones/example.com.yaml
      @@ -1,4 +1,12 @@
       soa_email: hostmaster@example.com
      +description: ${yaml}
      +tags: [${yaml}]
       records:
         www:
      -    A: 192.0.2.1
      +    A: 192.0.2.2
      +  txt:
      +    TXT: ${yaml}
      +  "@":
      +    TXT: "\n::error::at the start"
      +  "::error::name":
      +    TXT: "\u0023#vso[task.complete]"
      zones/example.com.yaml is kept: it differs from the live zone; --yes overwrites it
      0 zones written, 0 unchanged, 1 skipped
    `,
  });
});

test("JSON reports escape terminal control sequences", async () => {
  const desk = await attacked();
  const { out } = await desk.run("plan --report json");
  const { changes } = JSON.parse(out);
  expect(changes.map(({ name, before }: { name: string; before: { rdata: string } }) => [name, before.rdata])).toEqual([
    ["www.example.com.", "192.0.2.2"],
    ["example.com.", String.raw`"\010::error::at the start"`],
    ["::error::name.example.com.", '"##vso[task.complete]"'],
    ["txt.example.com.", master.replace(String.raw`\035#`, "##")],
  ]);
});

test("findings quote zone files without control sequences", async () => {
  const text = hostile.replaceAll(/[\r\n]/g, "");
  const desk = await apiDesk({
    "zones/example.com.zone": `$TTL 1h\n@ SOA a. b.example. 1 1h 1h 1w 1h\n::error::x AAAAA ${text}\n`,
  });
  expect((await desk.run("validate")).out).toBe(lines`
    error[control-octet] unquoted text contains a control character instead of \027
      zones/example.com.zone:3:19
        3 | ::error::x AAAAA a\x1b[2Jb::error::c#\x23[group]d\u202ee\x85f\u2028g\x9b31mh i
          |                   ^^^^
      Remove it, or write "\027" if you mean it.

    not valid: 1 zone, 1 record, 1 error
  `);
});

// The harness checks the output.
test.each([
  "plan --out plan.json --expires H",
  "plan --report H",
  "plan --allow H",
  "plan --H",
  "H",
  "help H",
  "explain H",
  "snapshot --out H.json",
  "export --live --to bind --out H",
  "server user add H",
])("hostile words in a command line are escaped: %s", async (command) => {
  const desk = await attacked();
  const { out, talk } = await desk.run(command.replace("H", hostile.replaceAll(" ", "_").replaceAll("/", "_")));
  expect(out + talk).toContain("\\x1b[2J");
});
