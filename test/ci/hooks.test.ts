import { chmodSync, readFileSync, rmSync, statSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { run } from "../clients/run.ts";
import { isMissing, programFolders } from "../judges.ts";
import { Repository, Workplace } from "./checkout.ts";
import { bundledAction, useBundle } from "./forge.ts";
import { root } from "./workflow-files.ts";

useBundle();

/** A repository of zones that uses the hooks, and pre-commit in it. */
function createZones(files: Readonly<Record<string, string>>) {
  const place = new Workplace();
  const hooks = Repository.create(join(place.folder, "zonewright"));
  hooks.write({ "action/index.js": readFileSync(join(bundledAction, "index.js"), "utf8") });
  chmodSync(join(hooks.folder, "action/index.js"), 0o755);
  const rev = hooks.commit("Release", {
    "package.json": '{ "type": "module" }',
    ".pre-commit-hooks.yaml": readFileSync(join(root, ".pre-commit-hooks.yaml"), "utf8"),
  });
  const zones = Repository.create(join(place.folder, "zones"));
  const config = [
    "repos:",
    `  - repo: ${hooks.folder}`,
    `    rev: ${rev}`,
    "    hooks: [{ id: zonewright-fmt }, { id: zonewright-validate }]",
  ].join("\n");
  zones.write({ ".pre-commit-config.yaml": `${config}\n`, ...files });
  zones.git("add", "--all");
  const preCommit = async () => {
    const program = programFolders.map((folder) => join(folder, "pre-commit")).find((file) => file.includes("venv"));
    const env = { HOME: place.folder, PATH: place.path, PRE_COMMIT_HOME: join(place.folder, "cache") };
    const { code, out } = await run([program ?? "", "run", "--color=never"], { cwd: zones.folder, env });
    return { code, out: out.replaceAll(/^(?:- duration: |\[INFO\] ).*\n/gm, "") };
  };
  return { zones, preCommit };
}

const zone = "soa_email: hostmaster@example.com\nttl_sec: 1h\nrecords:\n  www:\n    A: 192.0.2.1\n";

test.skipIf(isMissing("pre-commit"))("the hooks pass for valid and formatted zone files", async () => {
  const { preCommit } = createZones({ "zones/example.com.yaml": zone });
  expect(await preCommit()).toEqual({
    code: 0,
    out: `format zone files........................................................Passed
validate zone files......................................................Passed
`,
  });
});

test.skipIf(isMissing("pre-commit"))(
  "the hooks format files, which stops the commit until they are added",
  async () => {
    const { zones, preCommit } = createZones({
      "zones/example.com.yaml": zone.replace("A: 192.0.2.1", 'AAAA: "2001:0DB8::0001"'),
    });
    expect(await preCommit()).toEqual({
      code: 1,
      out: `format zone files........................................................Failed
- hook id: zonewright-fmt
- files were modified by this hook

wrote zones/example.com.yaml
1 file written

validate zone files......................................................Passed
`,
    });
    expect(zones.git("diff", "--name-only")).toBe("zones/example.com.yaml");
    zones.git("add", "--all");
    expect((await preCommit()).code).toBe(0);
  },
);

test.skipIf(isMissing("pre-commit"))("the hooks show errors at their place", async () => {
  const { preCommit } = createZones({ "zones/example.com.yaml": zone.replace("192.0.2.1", "300.0.2.1") });
  const error = `error[address-v4] www A "300.0.2.1": not an IPv4 address
  zones/example.com.yaml:5:8
    5 |     A: 300.0.2.1
      |        ^^^^^^^^^
  Write an IPv4 address such as "192.0.2.1".
`;
  expect(await preCommit()).toEqual({
    code: 1,
    out: `format zone files........................................................Failed
- hook id: zonewright-fmt
- exit code: 3

${error}
validate zone files......................................................Failed
- hook id: zonewright-validate
- exit code: 3

${error}
not valid: 1 zone, 0 records, 1 error

`,
  });
});

test.skipIf(isMissing("pre-commit"))("the hooks pass for commits without zone files", async () => {
  const { preCommit } = createZones({ "README.md": "Zones\n" });
  expect(await preCommit()).toEqual({
    code: 0,
    out: `format zone files........................................................Passed
validate zone files......................................................Passed
`,
  });
});

test.skipIf(isMissing("pre-commit"))("the hooks run for commits that only delete, and obey args", async () => {
  const { zones, preCommit } = createZones({
    "dns/zonewright.yaml": "zones: zones\n",
    "dns/templates/web.yaml": "records: { www: { A: 192.0.2.1 } }\n",
    "dns/zones/example.com.yaml": "soa_email: hostmaster@example.com\ntemplates: [web]\nrecords: {}\n",
  });
  expect((await preCommit()).code).toBe(0);
  zones.git("commit", "--quiet", "--no-verify", "--message", "Begin");
  zones.git("rm", "--quiet", "dns/templates/web.yaml");
  const deleted = await preCommit();
  expect([deleted.code, deleted.out]).toEqual([1, expect.stringContaining("dns/zones/example.com.yaml:2")]);
  const config = readFileSync(join(zones.folder, ".pre-commit-config.yaml"), "utf8");
  zones.write({
    ".pre-commit-config.yaml": config.replace("zonewright-validate", "zonewright-validate, args: [--confg, x]"),
  });
  zones.git("add", "--all");
  const unknown = await preCommit();
  expect(unknown.out).toContain("Unknown option '--confg'. The hooks know --config, --zones, --strict.");
  expect(unknown.out).toContain("- exit code: 64");
});

/** A repository with staged files, and a hook in it without pre-commit. */
function createStaged(files: Readonly<Record<string, string>>) {
  const place = new Workplace();
  const zones = Repository.create(join(place.folder, "zones"));
  zones.write(files);
  zones.git("add", "--all");
  const hook = (...words: string[]) =>
    run([process.execPath, join(bundledAction, "index.js"), ...words], {
      cwd: zones.folder,
      env: { HOME: place.folder, PATH: place.path },
    });
  return { zones, hook };
}

const bad = zone.replace("192.0.2.1", "300.0.2.1");

test("the hooks read what is staged, and nothing else", async () => {
  const { zones, hook } = createStaged({ "zones/example.com.yaml": zone });
  zones.write({ "zones/example.com.yaml": bad, "zones/example.net.yaml": bad });
  expect((await hook("validate")).code).toBe(0);
  // A template that git does not know would make a commit valid that is not.
  zones.write({ "zones/example.com.yaml": zone.replace("records:", "templates: [web]\nrecords:") });
  zones.git("add", "zones/example.com.yaml");
  zones.write({ "templates/web.yaml": "records: { api: { A: 192.0.2.2 } }\n" });
  expect((await hook("validate")).code).toBe(3);
  zones.git("add", "templates");
  expect((await hook("validate")).code).toBe(0);
});

test("the hooks read nothing elsewhere, whatever a config of the commit or args name", async () => {
  const { zones, hook } = createStaged({ "zones/example.com.yaml": zone, "zonewright.yaml": "{}\n" });
  const own = join(zones.folder, "zones");
  const isOutside = [3, expect.stringContaining("leads out of the repository")];
  zones.write({ "zones/example.com.yaml": bad });
  for (const config of [`zones: ${own}`, `zones: zones\ntemplates: ${own}`, "zones: ../zones"]) {
    zones.write({ "zonewright.yaml": `${config}\n` });
    zones.git("add", "zonewright.yaml");
    const { code, out } = await hook("validate");
    expect([code, out]).toEqual(isOutside);
  }
  zones.write({ "zonewright.yaml": "zones: link\n" });
  symlinkSync(own, join(zones.folder, "link"));
  zones.git("add", "zonewright.yaml", "link");
  const linked = await hook("validate");
  expect([linked.code, linked.out]).toEqual(isOutside);
  zones.git("rm", "--quiet", "--cached", "link");
  // Paths of the command itself are those of the work tree: its staged files are read.
  const config = join(zones.folder, "own.yaml");
  zones.write({ "own.yaml": "zones: zones\n" });
  zones.git("add", "own.yaml");
  expect((await hook("validate", "--zones", own)).code).toBe(0);
  expect((await hook("validate", "--config", config)).code).toBe(0);
  for (const option of ["--zones", "--config"]) {
    const { code, out } = await hook("validate", option, "/elsewhere");
    expect([code, out]).toEqual([64, expect.stringContaining(`"/elsewhere", which is outside the repository. `)]);
  }
});

test("the hooks leave out files that `git add --intent-to-add` only announces", async () => {
  const { zones, hook } = createStaged({ "zones/example.com.yaml": zone });
  zones.write({
    "zones/new.yaml": bad,
    "zones/gone.yaml": bad,
    "sub/zonewright.yaml": "{}\n",
    "sub/zones/a.yaml": bad,
  });
  zones.git("add", "--intent-to-add", "zones", "sub");
  rmSync(join(zones.folder, "zones/gone.yaml"));
  const { code, out } = await hook("validate");
  expect([code, out]).toEqual([0, expect.stringContaining("valid: 1 zone")]);
  zones.git("add", "zones/new.yaml");
  expect((await hook("validate")).code).toBe(3);
});

test("the hooks check zones/ of the top folder beside other projects, and the folders that --zones names", async () => {
  const beside = createStaged({ "zones/example.com.yaml": bad, "sub/zonewright.yaml": "{}\n" });
  const { code, out } = await beside.hook("validate");
  expect([code, out]).toEqual([3, expect.stringContaining("zones/example.com.yaml:5:8")]);
  for (const files of [{}, { "dns/zonewright.yaml": "{}\n" }]) {
    const { hook } = createStaged({ "dns/zones/example.org.yaml": bad, ...files });
    const named = await hook("validate", "--zones", "dns/zones");
    expect([named.code, named.out]).toEqual([3, expect.stringContaining("dns/zones/example.org.yaml:5:8")]);
    expect((await hook("validate", "--zones", "missing")).code).not.toBe(0);
  }
});

test("the hook that formats writes only files that are staged as they are", async () => {
  const layout = zone.replace("A: 192.0.2.1", 'AAAA: "2001:0DB8::0001"');
  const { zones, hook } = createStaged({ "zones/example.com.yaml": layout, "zones/example.net.yaml": layout });
  const edited = `${layout}  api: { A: 192.0.2.2 }\n`;
  zones.write({ "zones/example.net.yaml": edited, "zones/example.org.yaml": layout });
  const { code, out } = await hook("fmt");
  expect([code, out]).toEqual([
    3,
    "wrote zones/example.com.yaml\nnot written: zones/example.net.yaml has changes that are not staged\n1 file written\n",
  ]);
  const read = (name: string) => readFileSync(join(zones.folder, "zones", name), "utf8");
  expect(["example.com.yaml", "example.net.yaml", "example.org.yaml"].map(read)).toEqual([
    expect.stringContaining("2001:db8::1"),
    edited,
    layout,
  ]);
});

test("the hooks check each project of the repository, or the one that args name", async () => {
  const { hook } = createStaged({
    "dns/zonewright.yaml": "zones: zones\n",
    "dns/zones/example.com.yaml": bad,
    "other/zonewright.yaml": "zones: zones\n",
    "other/zones/example.net.yaml": zone,
  });
  const all = await hook("validate");
  expect([all.code, all.out]).toEqual([3, expect.stringContaining("dns/zones/example.com.yaml:5:8")]);
  expect((await hook("validate", "--config", "other/zonewright.yaml", "--strict")).code).toBe(0);
  expect((await hook("validate", "--config=dns/zonewright.yaml")).code).toBe(3);
  expect((await hook("validate", "--config", "none/zonewright.yaml")).code).not.toBe(0);
});

test.each(["--report json", "--check", "zones/example.com.yaml", "--strict=yes", "--config"])(
  "the hooks refuse what they do not know: %s",
  async (text) => {
    const words = text.split(" ");
    const { hook } = createStaged({ "zones/example.com.yaml": zone });
    for (const name of ["validate", "fmt"]) {
      const { code, out } = await hook(name, ...words);
      expect([code, out]).toEqual([
        64,
        expect.stringMatching(/^error.*`args` of the hook: .*--config, --zones, --strict/),
      ]);
    }
  },
);

test("the program of the hooks is executable in the repository", () => {
  expect(statSync(join(root, "action/index.js")).mode & 0o111).toBe(0o111);
});

test.skipIf(isMissing("pre-commit"))("a staged folder of runs stops the commit, of any project", async () => {
  const { preCommit } = createZones({ "zones/example.com.yaml": zone, "sub/.zonewright/lock": "{}" });
  const { code, out } = await preCommit();
  expect([code, out]).toEqual([1, expect.stringContaining("error[state-committed] sub/.zonewright/lock is committed")]);
});
