import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { usageError } from "../../diagnostics/problem.ts";
import { listPackagedFiles, readPackagedFile } from "../../packaged-file.ts";
import { createToken } from "../../server/areas/account/tokens-operator.ts";
import { addUser } from "../../server/areas/account/users-operator.ts";
import { listen } from "../../server/http/node.ts";
import { simulatedDriver } from "../../server/kit/job-driver.ts";
import { serveNames } from "../../server/serve-names.ts";
import { createServer, type ServerOptions } from "../../server/server.ts";
import { openStore } from "../../server/store/store.ts";
import { makeTemporaryFolder } from "../../workflow/project/temporary-folder.ts";
import { defineCommand, flag } from "../command.ts";
import { runNodes } from "../demo/nodes.ts";
import { changeByHand, runPullRequest } from "../demo/pull-request.ts";
import { DemoError, DemoStage } from "../demo/stage.ts";
import { exitCode } from "../exit-code.ts";

/** `zonewright demo`: the complete workflow with the example zones, on a temporary server. */
export const demoCommand = defineCommand({
  example: `  zonewright demo
  zonewright demo --pull-request             with git: review, apply, drift
  zonewright demo --full                     with nodes and a name service
`,
  flags: {
    pullRequest: flag("show a pull request from its plan to drift and back; needs git"),
    full: flag("show records that follow a node, and its name in reverse DNS"),
  },
  async run(terminal, _, { pullRequest, full }, program) {
    if (pullRequest && full) throw usageError("--pull-request and --full exclude each other.");
    const folder = makeTemporaryFolder("demo");
    const cwd = join(folder, "project");
    const store = await openStore(join(folder, "data", "zonewright.db"));
    try {
      const token = await createToken(store, { username: "demo", now: terminal.now() });
      // Jobs of nodes end at once.
      const service = { store, clock: terminal.now, jobDriver: simulatedDriver(0) };
      const { url, close } = await listen(createServer(service), { port: 0 });
      try {
        const handEdit = async () => {
          const now = terminal.now();
          await addUser(store, { username: "sam", account: "demo", now });
          await changeByHand(url, await createToken(store, { username: "sam", now }));
        };
        mkdirSync(cwd);
        writeExamples(join(cwd, "zones"));
        const env = { ZONEWRIGHT_API_URL: url, ZONEWRIGHT_TOKEN: token };
        const stage = new DemoStage({ ...terminal, cwd, env }, program);
        if (pullRequest) await runPullRequest(stage, { folder, handEdit });
        else if (full) await withNameService(service, (dnsPort) => runNodes(stage, { dnsPort }));
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

async function withNameService(options: ServerOptions, work: (port: number) => Promise<void>): Promise<void> {
  const { port, close } = await serveNames(options, { port: 0 });
  try {
    await work(port);
  } finally {
    await close();
  }
}

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

function writeExamples(folder: string): void {
  mkdirSync(folder);
  for (const name of listPackagedFiles("zones")) writeFileSync(join(folder, name), readPackagedFile(`zones/${name}`));
}
