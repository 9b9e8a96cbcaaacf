import { cpSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { packagedFile } from "../../packaged-file.ts";
import { listen } from "../../server/http/node.ts";
import { createToken } from "../../server/operator/tokens.ts";
import { addUser } from "../../server/operator/users.ts";
import { createServer } from "../../server/server.ts";
import { openStore } from "../../server/store/store.ts";
import { defineCommand, flag } from "../command.ts";
import { changeByHand, runPullRequest } from "../demo-pull-request.ts";
import { DemoError, DemoStage } from "../demo-stage.ts";
import { exitCode } from "../exit-code.ts";

const examples = packagedFile("zones");

/** `zonewright demo`: the complete workflow with the example zones, on a temporary server. */
export const command = defineCommand({
  example: `  zonewright demo
  zonewright demo --pull-request             with git: review, apply, drift
`,
  flags: { pullRequest: flag("show a pull request from its plan to drift and back; needs git") },
  async run(terminal, _, { pullRequest }, program) {
    const folder = mkdtempSync(join(tmpdir(), "zonewright-demo-"));
    const cwd = join(folder, "project");
    const store = await openStore(join(folder, "data", "zonewright.db"));
    try {
      const token = await createToken(store, { username: "demo", now: terminal.now() });
      const { url, close } = await listen(createServer({ store, clock: terminal.now }), { port: 0 });
      try {
        const handEdit = async () => {
          const now = terminal.now();
          await addUser(store, { username: "sam", account: "demo", now });
          await changeByHand(url, await createToken(store, { username: "sam", now }));
        };
        mkdirSync(cwd);
        cpSync(examples, join(cwd, "zones"), { recursive: true });
        const env = { ZONEWRIGHT_API_URL: url, ZONEWRIGHT_TOKEN: token };
        const stage = new DemoStage({ ...terminal, cwd, env }, program);
        if (pullRequest) await runPullRequest(stage, { folder, handEdit });
        else await runDemo(stage);
        return exitCode.done;
      } finally {
        await close();
      }
    } finally {
      await store.close();
      rmSync(folder, { recursive: true, force: true });
    }
  },
});

async function runDemo(stage: DemoStage): Promise<void> {
  stage.narrate("An empty DNS API runs on this machine. The folder zones/ contains three zones.");
  await stage.show(["plan"], 12);
  await stage.apply();
  stage.narrate("The service renders the zones. This is one of them.");
  await stage.show(["export", "example.net", "--rendered", "--to", "bind"]);
  stage.narrate("A second plan has no changes.");
  await stage.show(["plan", "--detailed-exitcode"]);
  stage.narrate(
    "In zones/example.com.yaml, shop changes from an alias to an address: two types that cannot coexist at one name.",
  );
  stage.edit("zones/example.com.yaml", "CNAME: shops.example.net.", "A: 198.51.100.20");
  await stage.show(["plan"]);
  await stage.apply("--verbose");
  stage.narrate("The API's data is exported as zone files. Reading them back gives the same records.");
  await stage.show(["export", "--live", "--to", "bind", "--out", "exported"]);
  const live = await stage.capture("export", "--live", "--to", "records");
  const exported = await stage.capture("export", "--zones", "exported", "--to", "records");
  if (live !== exported) throw new DemoError("the export differs from the live zones");
  stage.narrate(`${live.split("\n").length - 1} live records, and the same records in the exported files.`);
}
