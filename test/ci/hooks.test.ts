import { chmodSync, readFileSync, statSync } from "node:fs";
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

test.skipIf(isMissing("pre-commit"))("the hooks do not run for commits without zone files", async () => {
  const { preCommit } = createZones({ "README.md": "Zones\n" });
  expect(await preCommit()).toEqual({
    code: 0,
    out: `format zone files....................................(no files to check)Skipped
validate zone files..................................(no files to check)Skipped
`,
  });
});

test("the program of the hooks is executable in the repository", () => {
  expect(statSync(join(root, "action/index.js")).mode & 0o111).toBe(0o111);
});
