import { expect, test } from "vitest";
import { apiDesk, lines } from "./run.ts";

const zone = lines`
  soa_email: hostmaster@example.com
  ttl_sec: 1h
  records:
    www:
      A: [192.0.2.10, 192.0.2.11]
    mail:
      A: { ttl_sec: 10m, values: 192.0.2.25 }
`;

async function stored() {
  const desk = await apiDesk({ "zones/example.com.yaml": zone });
  await desk.run("apply --yes");
  desk.write(
    "zones/example.com.yaml",
    zone.replace("192.0.2.11", "192.0.2.12").replace("  mail:", "  api:\n    AAAA: 2001:db8::1\n  mail2:"),
  );
  desk.writes.length = 0;
  return desk;
}

test("prints the changes as text", async () => {
  const desk = await stored();
  expect(await desk.run("plan")).toEqual({
    code: 0,
    out: lines`
      example.com                               +2 create  ~1 change  -1 delete
        1 + create  api    AAAA  3600  2001:db8::1              zones/example.com.yaml:7
        2 + create  mail2  A     300   192.0.2.25               zones/example.com.yaml:9
        3 ~ change  www    A     3600  192.0.2.11 → 192.0.2.12  updated in place; caches may keep the old value for up to 1 hour  zones/example.com.yaml:5
        4 - delete  mail   A     300   192.0.2.25               caches may keep it for up to 5 minutes
      note  example.com mail2 A: ttl_sec 600 is stored as 300  zones/example.com.yaml:9
      plan: 4 changes in 1 of 1 zone · effects 7af9f140 · 2 reads
      apply sends 4 writes and 7 reads (no rate limit)
    `,
    talk: "",
  });
  expect(desk.writes).toEqual([]);
});

test("fits the terminal; --wide prints as for a pipe, --summary a line per zone", async () => {
  const desk = await stored();
  const { out: piped } = await desk.run("plan");
  desk.width = 60;
  expect((await desk.run("plan")).out).toBe(lines`
    example.com                  +2 create  ~1 change  -1 delete
      1 + create  api    AAAA  3600  2001:db8::1
                  zones/example.com.yaml:7
      2 + create  mail2  A     300   192.0.2.25
                  zones/example.com.yaml:9
      3 ~ change  www    A     3600  192.0.2.11 → 192.0.2.12
                  updated in place; caches may keep the old
                  value for up to 1 hour
                  zones/example.com.yaml:5
      4 - delete  mail   A     300   192.0.2.25
                  caches may keep it for up to 5 minutes
    note  example.com mail2 A: ttl_sec 600 is stored as 300
      zones/example.com.yaml:9
    plan: 4 changes in 1 of 1 zone · effects 7af9f140 · 2 reads
    apply sends 4 writes and 7 reads (no rate limit)
  `);
  expect((await desk.run("plan --wide")).out).toBe(piped);
  expect((await desk.run("plan --summary")).out).toBe(lines`
    example.com                  +2 create  ~1 change  -1 delete
    note  example.com mail2 A: ttl_sec 600 is stored as 300
      zones/example.com.yaml:9
    one line per zone; --wide instead of --summary shows every
      change
    plan: 4 changes in 1 of 1 zone · effects 7af9f140 · 2 reads
    apply sends 4 writes and 7 reads (no rate limit)
  `);
});

test("--report json prints the plan file that --out writes", async () => {
  const desk = await stored();
  const { out, ...rest } = await desk.run("plan --report json");
  expect(rest).toEqual({ code: 0, talk: "" });
  await expect(constant(out)).toMatchFileSnapshot("../cases/plan-file/plan.json");
  expect(await desk.run("plan --out out/plan.json --expires 2h")).toEqual({
    code: 0,
    out: (await desk.run("plan")).out
      .replace("2 reads", "4 reads")
      .replace(/\n$/, "\nnext: zonewright apply out/plan.json\n"),
    talk: "",
  });
  const written = JSON.parse(desk.read("out/plan.json").replaceAll(desk.url, "http://api"));
  const { nonce, expires, planDigest, ...same } = JSON.parse(out);
  expect(written).toEqual({
    ...same,
    nonce: written.nonce,
    expires: "2026-03-04T14:00:00Z",
    planDigest: written.planDigest,
  });
  expect([written.nonce, written.planDigest]).not.toEqual([nonce, planDigest]);
});

test("--report writes several reports at once, and prints the one without a file", async () => {
  const desk = await stored();
  const { out: text } = await desk.run("plan");
  const { out: markdown } = await desk.run("plan --report markdown");
  expect(markdown).toMatch(/^### Plan of zones: 4 changes in 1 of 1 zone\n/);
  expect(await desk.run("plan --report github=comment.md --report text=out/plan.txt")).toEqual({
    code: 0,
    out: text,
    talk: "",
  });
  expect([desk.read("comment.md"), desk.read("out/plan.txt")]).toEqual([markdown, text]);
  const { out } = await desk.run("plan --report json --report markdown=plan.md");
  expect([JSON.parse(out).expires, desk.read("plan.md")]).toEqual(["2026-03-05T12:00:00Z", markdown]);
});

test("--report-url links the full report; outside of git there is no commit to show", async () => {
  const desk = await stored();
  const { out } = await desk.run("plan --report gitlab --report-url https://ci.example/job/7?a=1&copy;=2");
  const [, , facts] = out.split("\n");
  expect(facts?.replace(/`[0-9a-f]{8}`/, "`…`")).toBe(
    "+2 create · ~1 change · −1 delete · effects `…` · apply sends 4 writes and 7 reads · live zones as of 2026-03-04 12:00 UTC · [full report](<https://ci.example/job/7?a=1&amp;copy;=2>)",
  );
});

test("a plan that cannot be made is reported to files, too", async () => {
  const desk = await stored();
  desk.write("zones/example.com.yaml", "records: {");
  const formats = ["json", "github", "gitlab", "markdown", "html", "junit", "sarif", "codequality"];
  const { code, out } = await desk.run(`plan ${formats.map((format) => `--report ${format}=out/${format}`).join(" ")}`);
  expect([code, out]).toEqual([3, ""]);
  const markdown = [
    "### Plan of zones: stopped by 1 error\n",
    "**Errors**",
    "- invalid YAML: this `{` is not closed (`yaml-syntax`) · `zones/example.com.yaml:1`",
    "  - Add the `}` that closes it.\n",
  ].join("\n");
  const junit = lines`
    <?xml version="1.0" encoding="UTF-8"?>
    <testsuites tests="1" failures="1">
    <testsuite name="zonewright plan" tests="1" failures="1">
    <testcase classname="zones" name="(all zones)"><failure message="invalid YAML: this { is not closed">error[yaml-syntax] invalid YAML: this { is not closed
      zones/example.com.yaml:1:10
        1 | records: {
          |          ^
      Add the } that closes it.</failure></testcase>
    </testsuite>
    </testsuites>
  `;
  const texts = Object.fromEntries(
    ["github", "gitlab", "markdown", "junit"].map((name) => [name, desk.read(`out/${name}`)]),
  );
  expect(texts).toEqual({ github: markdown, gitlab: markdown, markdown, junit });
  expect(JSON.parse(desk.read("out/json")).findings[0].rule).toBe("yaml-syntax");
  expect(JSON.parse(desk.read("out/sarif")).runs[0].results[0].level).toBe("error");
  expect(JSON.parse(desk.read("out/codequality"))).toEqual([
    {
      description: "invalid YAML: this { is not closed. Add the } that closes it.",
      check_name: "yaml-syntax",
      fingerprint: expect.stringMatching(/^[0-9a-f]{64}$/),
      severity: "critical",
      location: { path: "zones/example.com.yaml", lines: { begin: 1 } },
    },
  ]);
});

test("a report whose file cannot be written is one error", async () => {
  const desk = await stored();
  desk.write("out", "a file, not a folder");
  expect(await desk.run("plan --report junit=out/plan.xml")).toEqual({
    code: 1,
    out: "",
    talk: lines`
      error[file-write] out/plan.xml cannot be written: a file is in the place of a folder
        Name a file in a folder that this user may write.
    `,
  });
});

test.each([
  [
    "--report xml",
    'error: --report xml: unknown format "xml". Formats: text, json, markdown, github, gitlab, html, junit, sarif, codequality.\n',
  ],
  [
    "--report-url ftp://example.com/plan",
    "error: --report-url ftp://example.com/plan is not an http or https address.\n",
  ],
  [
    "--report-url https://user:secret@example.com/",
    "error: --report-url has a user name or password, which everyone who reads the report would see.\n",
  ],
  ["--report github=", "error: --report github= names no file. Write FORMAT=FILE, or FORMAT alone.\n"],
  [
    "--report json --report github",
    "error: --report json and github: only one report can go to standard output. Write FORMAT=FILE for the others.\n",
  ],
  [
    "--report github=plan.md --report markdown=plan.md",
    "error: --report names the file plan.md twice. Give each report its own file.\n",
  ],
])("plan %s is refused before anything is read", async (flags, talk) => {
  const desk = await stored();
  expect(await desk.run(`plan ${flags}`)).toEqual({ code: 64, out: "", talk });
});

/** Without what is of this run's server and of this version. */
function constant(text: string): string {
  return text
    .replace(/"api": ".*"/, '"api": "http://api/v4"')
    .replace(/"account": ".*"/, '"account": "(uuid)"')
    .replace(/"planDigest": ".*"/, '"planDigest": "(sha256)"')
    .replace(/"version": ".*"/, '"version": "(version)"');
}

test("--detailed-exitcode", async () => {
  const desk = await stored();
  expect((await desk.run("plan --detailed-exitcode")).code).toBe(2);
  await desk.run("apply --yes");
  expect(await desk.run("plan --detailed-exitcode")).toEqual({
    code: 0,
    out: "in sync: 1 zone, nothing to do\n",
    talk: "",
  });
});

test("names zones of the account without a file, unless zones were given", async () => {
  const desk = await stored();
  for (const domain of ["example.net", "example.org", "a.example", "b.example"])
    await desk.call("POST", "/domains", { domain, type: "master", soa_email: "hostmaster@example.com" });
  await desk.run("apply --yes");
  expect(await desk.run("plan")).toEqual({
    code: 0,
    out: lines`
      4 zones of the account not in git, left alone: a.example, b.example, example.net and 1 more
      in sync: 1 zone, nothing to do
    `,
    talk: "",
  });
  expect((await desk.run("plan example.com")).out).toBe("in sync: 1 zone, nothing to do\n");
});

test("accepts zone names in any spelling and file paths, each once", async () => {
  const desk = await apiDesk({
    "zones/example.com.yaml": zone,
    "zones/example.net.yaml": zone,
    "db.example.org": "$TTL 1h\n@ SOA ns1.example.net. hostmaster.example.com. 1 4h 1h 2w 1h\nwww A 192.0.2.1\n",
  });
  const named = async (args: string) =>
    [...(await desk.run(`plan ${args}`)).out.matchAll(/^(\S+) {2,}\+/gm)].map(([, name]) => name);
  expect(await named("")).toEqual(["example.com", "example.net"]);
  expect(await named("EXAMPLE.net.")).toEqual(["example.net"]);
  expect(await named("example.net zones/example.net.yaml ./zones/example.net.yaml")).toEqual(["example.net"]);
  expect(await named("db.example.org")).toEqual(["example.org"]);
  expect(await named("example.com db.example.org")).toEqual(["example.com", "example.org"]);
});

test("reads each file once if flags and config name the same folder", async () => {
  const desk = await apiDesk({
    "dns/public/example.com.yaml": zone,
    "lab/example.net.yaml": zone,
    "prod/zonewright.yaml": "zones: [../dns, ../lab]\n",
  });
  const count = async (args: string) => /(?<=^plan: ).*?(?= · )/m.exec((await desk.run(`plan ${args}`)).out)?.[0];
  expect(await count("--zones dns")).toBe("4 changes in 1 of 1 zone");
  expect(await count("--zones dns --zones lab")).toBe("8 changes in 2 of 2 zones");
  expect(await count("--zones dns --zones dns/public")).toBe("4 changes in 1 of 1 zone");
  expect(await count("--config prod/zonewright.yaml")).toBe("8 changes in 2 of 2 zones");
  expect(await count("--config prod/zonewright.yaml example.net")).toBe("4 changes in 1 of 1 zone");
});
