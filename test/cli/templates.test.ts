import { rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { formatTemplate } from "../../src/formats/formatting.ts";
import { TemplateFolder } from "../../src/formats/templates.ts";
import { apiSettings } from "../../src/targets/api/settings.ts";
import { openProject } from "../../src/workflow/project/project.ts";
import { createRunContext } from "../../src/workflow/project/run-context.ts";
import { readSince } from "../../src/workflow/zones/since.ts";
import { gitIn } from "./git.ts";
import { apiDesk, Desk, lines } from "./run.ts";

const mail = lines`
  # Shared by all shops.
  parameters:
    host: { type: hostname, default: mx1 }
    addresses: list of ipv4
  ttl_sec: 1h
  records:
    "@":
      MX: 10 $(host)
    $(host): { A: $(addresses) }
    www: { A: 192.0.2.80 }
`;
const example = lines`
  # The shop.
  soa_email: hostmaster@example.com
  templates:
    - mail: { addresses: [192.0.2.25, 192.0.2.26] } # ours
  records:
    shop: { A: 192.0.2.7 } # the till
`;
const parked = lines`
  soa_email: hostmaster@example.com
  templates: { mail: { host: mx9, addresses: 192.0.2.9 } }
  records:
    "@": { MX: { override: true, values: 0 . } } # no mail
    www: { CNAME: { override: true, values: mx9 } }
`;
const files = {
  "templates/mail.yaml": mail,
  "zones/example.com.yaml": example,
  "zones/example.net.yaml": parked,
};

test("expand prints an equal zone with the same plan", async () => {
  const desk = await apiDesk(files);
  const { out } = await desk.run("expand example.com");
  expect(out).toBe(lines`
    zone: example.com
    soa_email: hostmaster@example.com
    ttl_sec: 1h
    records:
      "@":
        MX: 10 mx1
      mx1:
        A:
          - 192.0.2.25
          - 192.0.2.26
      shop:
        A: 192.0.2.7
      www:
        A: 192.0.2.80
  `);
  const bind = (await desk.run("expand zones/example.net.yaml --to bind")).out;
  expect(bind.split("\n").filter((line) => / (?:A|MX|CNAME) /.test(line))).toEqual([
    "@   IN MX    0 .",
    "mx9 IN A     192.0.2.9",
    "www IN CNAME mx9",
  ]);
  const changesOf = async () => {
    await desk.run("plan --out plan.json");
    const changes: Record<string, unknown>[] = JSON.parse(desk.read("plan.json")).changes;
    // Settings are in the order of the file.
    return changes.map(({ at: _, via: __, ...change }) => JSON.stringify(change)).sort();
  };
  const before = await changesOf();
  expect(before.length).toBeGreaterThan(6);
  desk.write("zones/example.com.yaml", out);
  rmSync(join(desk.folder, "zones/example.net.yaml"));
  desk.write("zones/example.net.zone", bind);
  expect(await changesOf()).toEqual(before);
});

test("a plan names the template and its use, and apply refuses the plan once the template has changed", async () => {
  const desk = await apiDesk(files);
  const { out } = await desk.run("plan --out plan.json");
  expect(out).toContain("templates/mail.yaml:8 via zones/example.com.yaml:4");
  const { changes, source } = JSON.parse(desk.read("plan.json"));
  const places = (changes as { name: string; type: string; at?: string; via?: string[] }[]).map(
    ({ name, type, at, via = [] }) => `${name} ${type}: ${[at, ...via].join(" via ")}`,
  );
  expect(places).toContain("mx1.example.com. A: templates/mail.yaml:9 via zones/example.com.yaml:4");
  expect(places).toContain("shop.example.com. A: zones/example.com.yaml:6");
  expect(source.zones.map(({ files }: { files: { file: string }[] }) => files.map(({ file }) => file))).toEqual([
    ["zones/example.com.yaml", "templates/mail.yaml"],
    ["zones/example.net.yaml", "templates/mail.yaml"],
  ]);
  desk.write("templates/mail.yaml", mail.replace("10 $(host)", "20 $(host)"));
  const refused = await desk.run("apply plan.json --yes");
  expect(refused.code).not.toBe(0);
  expect(refused.talk).toContain(
    "error[plan-effects] example.com MX: creating 20 mx1.example.com. (the zone's TTL 3600) is not approved\n  templates/mail.yaml:8:9\n",
  );
  expect(desk.writes).toEqual([]);
  desk.write("templates/mail.yaml", mail);
  expect((await desk.run("apply plan.json --yes")).code).toBe(0);
  expect((await desk.run("plan")).out).toContain("in sync: 2 zones");
});

test("a changed template changes every zone that uses it, for --since", async () => {
  const desk = new Desk({
    ...files,
    "zones/example.org.yaml": "soa_email: a@example.org\nrecords: { www: { A: 192.0.2.1 } }\n",
  });
  const git = gitIn(desk.folder);
  git("init", "-q");
  git("add", "-A");
  git("commit", "-qm", "zones");
  desk.write("templates/mail.yaml", mail.replace("192.0.2.80", "192.0.2.81"));
  const context = createRunContext({ ...process, cwd: () => desk.folder });
  const { zones, known } = await readSince(openProject(context, { config: "zonewright.yaml" }), [], "HEAD");
  expect(zones.map(({ file }) => file)).toEqual(["zones/example.com.yaml", "zones/example.net.yaml"]);
  expect(known).toBe(3);
});

test("one fault of a template is reported once, with the number of zones that use it", async () => {
  const desk = new Desk({
    ...files,
    "templates/mail.yaml": mail.replace("192.0.2.80", "192.0.2.800"),
    "templates/old.yaml": "records: {}\n",
  });
  const { out } = await desk.run("validate");
  expect(out).toBe(lines`
    error[address-v4] www A "192.0.2.800": not an IPv4 address
      templates/mail.yaml:10:13
       10 |   www: { A: 192.0.2.800 }
          |             ^^^^^^^^^^^
      included in zones/example.com.yaml:4
      The same applies to 1 other zone that uses this file. Write an IPv4 address such as "192.0.2.1".

    not valid: 2 zones, 7 records, 1 error
  `);
  desk.write("templates/mail.yaml", mail);
  expect((await desk.run("validate")).out).toContain(
    "note[template-unused] no zone uses the template templates/old.yaml  templates/old.yaml:1\n",
  );
});

test("fmt keeps templates, parameters and overrides", async () => {
  const desk = new Desk({
    ...files,
    "zones/example.org.yaml":
      "records:\n  www: { a: { values: [], override: true } }\n\n\n  b: { cname: A.example.net. }\ntemplates: [ { mail: { addresses: [] } } ]\n",
  });
  expect((await desk.run("fmt")).code).toBe(0);
  expect(desk.files()).toEqual({
    ...files,
    "zones/example.org.yaml":
      "records:\n  www: { A: { values: [], override: true } }\n\n  b: { CNAME: A.example.net. }\ntemplates: [ { mail: { addresses: [] } } ]\n",
  });
  expect((await desk.run("fmt --sort zones/example.com.yaml zones/example.org.yaml")).code).toBe(0);
  expect(desk.read("zones/example.com.yaml")).toBe(example);
  expect(desk.read("zones/example.org.yaml")).toBe(lines`
    zone: example.org
    templates:
      - mail:
          addresses: []
    records:
      b:
        CNAME: A.example.net.
      www:
        A:
          override: true
          values: []
  `);
  const sorted = desk.files();
  await desk.run("fmt --sort zones/example.com.yaml zones/example.org.yaml");
  expect(desk.files()).toEqual(sorted);
  const { talk } = await desk.run("fmt --to bind zones/example.com.yaml");
  expect(talk).toContain("zones/example.com.yaml is skipped: a BIND zone file cannot use templates\n");
  expect(desk.files()).toEqual(sorted);
});

test("files under templates are not read as zones, inside the folder of zones or beside it", async () => {
  const zone = "soa_email: a@example.com\ntemplates: [web]\n";
  const web = "records: { www: { A: 192.0.2.1 } }\n";
  for (const config of ["zones: .\n", "zones: .\ntemplates: shared/templates\n"]) {
    const folder = config.includes("shared") ? "shared/templates" : "templates";
    const desk = new Desk({ "zonewright.yaml": config, "example.com.yaml": zone, [`${folder}/web.yaml`]: web });
    expect(await desk.run("validate")).toEqual({ code: 0, out: "valid: 1 zone, 1 record\n", talk: "" });
  }
});

const loose = lines`
  # Shared.
  parameters:   # by all
    host: hostname
    digest: hostname
    addresses: list of ipv4


  records:
    "@": { mx: [ 10   $(host), 20   MX.example.net. ] }
    $(host): { a: $(addresses), tlsa: 3 1 1 $(digest) }
    www: { cname: WWW.example.net. }   # elsewhere
`;
const tidy = lines`
  # Shared.
  parameters:   # by all
    host: hostname
    digest: hostname
    addresses: list of ipv4

  records:
    "@": { MX: [ 10   $(host), 20 MX.example.net. ] }
    $(host): { A: $(addresses), TLSA: 3 1 1 $(digest) }
    www: { CNAME: WWW.example.net. }   # elsewhere
`;

test("fmt formats templates, and keeps their comments, order and values with parameters", async () => {
  const zone = "soa_email: a@example.com\n";
  const desk = new Desk({ "templates/t.yaml": loose, "templates/broken.yaml": "records: []\n", "zones/a.yaml": zone });
  const run = async (command: string) => (await desk.run(command)).talk;
  expect(await run("fmt templates/t.yaml --to bind")).toContain("templates are skipped, which are always YAML");
  expect(desk.read("templates/t.yaml")).toBe(loose);
  expect(await run("fmt templates/t.yaml")).toBe("wrote templates/t.yaml\n1 file written, 0 left as they were\n");
  expect(desk.read("templates/t.yaml")).toBe(tidy);
  expect(await run("fmt")).toContain("error[records-shape]");
  rmSync(join(desk.folder, "templates/broken.yaml"));
  expect(await run("fmt")).toBe("0 files written, 2 left as they were\n");
  desk.write("templates/t.yaml", loose);
  expect(await run("fmt --sort")).toContain("wrote templates/t.yaml\n");
  expect(desk.read("templates/t.yaml")).toBe(tidy);
});

test("validate checks a template that is named, with samples for parameters without a default", async () => {
  const desk = new Desk({
    "templates/t.yaml": loose,
    "templates/bad.yaml": "parameters: { a: ipv4 }\nrecords: { www: { A: $(b), MX: 10 } }\n",
    "templates/deep/t.yaml": loose,
  });
  expect((await desk.run("validate templates/t.yaml")).out).toBe("valid: 1 template\n");
  const { out } = await desk.run("validate templates/t.yaml templates/bad.yaml");
  expect(out).toContain('error[template-parameter] the template has no parameter "b"\n  templates/bad.yaml:2:22\n');
  expect(out).toContain("not valid: 2 templates, 1 error\n");
  expect((await desk.run("validate templates/deep/t.yaml")).talk).toBe(lines`
    error[file-format] templates/deep/t.yaml is in the folder of templates, but not a template
      Templates are templates/<name>.yaml. Move a zone file to another folder.
  `);
});

test("the shipped templates are valid by themselves, and formatted", () => {
  const path = fileURLToPath(new URL("../../templates", import.meta.url));
  const folder = new TemplateFolder({ path, file: "templates" }, apiSettings);
  for (const name of folder.files().keys()) {
    const { file, bytes, problems } = folder.readAlone(name);
    expect(problems).toEqual([]);
    const formatted = formatTemplate({ file, bytes, settings: apiSettings });
    expect(Buffer.from(formatted).toString()).toBe(Buffer.from(bytes).toString());
  }
});

test("import writes differences from a template to the zone's file, never to the template", async () => {
  const desk = await apiDesk(files);
  expect((await desk.run("apply --yes")).code).toBe(0);
  expect((await desk.run("import api --yes")).talk).toBe("0 zones written, 2 unchanged, 0 skipped\n");
  expect(desk.read("zones/example.com.yaml")).toBe(example);

  const { data: domains } = await desk.call("GET", "/domains");
  const { id } = domains.find(({ domain }: { domain: string }) => domain === "example.com");
  const { data: records } = await desk.call("GET", `/domains/${id}/records`);
  const find = (name: string, type: string) =>
    records.find((record: { name: string; type: string }) => record.name === name && record.type === type);
  await desk.call("PUT", `/domains/${id}/records/${find("www", "A").id}`, { target: "192.0.2.81" });
  await desk.call("DELETE", `/domains/${id}/records/${find("", "MX").id}`);
  await desk.call("POST", `/domains/${id}/records`, { type: "A", name: "new", target: "192.0.2.99" });
  await desk.call("PUT", `/domains/${id}`, { ttl_sec: 300 });
  const { talk } = await desk.run("import api --yes");
  expect(desk.read("zones/example.com.yaml")).toBe(lines`
    # The shop.
    soa_email: hostmaster@example.com
    templates:
      - mail: { addresses: [192.0.2.25, 192.0.2.26] } # ours
    ttl_sec: 5m
    records:
      shop: { A: 192.0.2.7 } # the till
      www:
        A:
          override: true
          values: 192.0.2.81
      new:
        A: 192.0.2.99
      "@":
        MX:
          override: true
          values: []
  `);
  expect(talk).toContain(lines`
    warning[rewrite-template] www A is in a template and differs from the live zone, so zones/example.com.yaml overrides it
      templates/mail.yaml:10:13
       10 |   www: { A: 192.0.2.80 }
          |             ^^^^^^^^^^
      included in zones/example.com.yaml:4
      To change it for every zone that uses the template (example.com, example.net), edit the template instead.
  `);
  expect(desk.read("templates/mail.yaml")).toBe(mail);
  expect((await desk.run("plan")).out).toContain("in sync: 2 zones");
  expect((await desk.run("import api --yes")).talk).toBe("0 zones written, 2 unchanged, 0 skipped\n");
});

test("import keeps a zone whose templates have errors", async () => {
  const desk = await apiDesk(files);
  await desk.run("apply --yes");
  rmSync(join(desk.folder, "templates/mail.yaml"));
  const { code, talk } = await desk.run("import api example.com --yes");
  expect(code).not.toBe(0);
  expect(talk).toContain("error[rewrite-template] zones/example.com.yaml uses templates and has errors");
  expect(desk.read("zones/example.com.yaml")).toBe(example);
});
