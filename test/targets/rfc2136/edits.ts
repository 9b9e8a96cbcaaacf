import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { readName } from "../../../src/dns/name/name.ts";
import { readKeys } from "../../../src/dns/transfer/key-file.ts";
import { guards } from "../../../src/planner/blocks/guards.ts";
import { rfc2136Target } from "../../../src/targets/rfc2136/target.ts";
import { apply } from "../../../src/workflow/apply/apply.ts";
import { planZones } from "../../../src/workflow/plan/plan.ts";
import { openProject } from "../../../src/workflow/project/project.ts";
import { Random } from "../../executor/random.ts";
import { judgesFolder } from "../../judges.ts";
import { type Configuration, key as secretKey, startUpdateServer } from "../../updates/servers.ts";
import { editModel, firstModel, masterFile, type ZoneModel } from "./random-zone.ts";

const zone = "z01.example.";
const soa = "@ 300 IN SOA ns1 hostmaster 1 3600 600 86400 60\n";

/** The faults of random edits that were planned and applied on a server, one after the other. */
export async function trialEdits(configuration: Configuration, count: number, seed: number) {
  const server = await startUpdateServer(configuration, 1);
  const judge = startJudge();
  const root = mkdtempSync(join(tmpdir(), "zonewright-edits-"));
  const faults: string[] = [];
  let messages = 0;
  try {
    const desk = openDesk(root, server.port);
    await server.untilServed(zone);
    let model: ZoneModel = firstModel();
    for (let edit = 0; edit < count; edit++) {
      model = edit === 0 ? model : editModel(model, new Random(seed * 100_000 + edit));
      const text = masterFile(model);
      const { failures, left, writes } = await desk.apply(text);
      messages += writes;
      const { missing, more } = await judge.compare({
        zone,
        port: server.port,
        text: `$ORIGIN ${zone}\n${soa}${text}`,
      });
      if (failures.length + left + missing.length + more.length > 0) {
        const found = { failures, left, missing, more };
        faults.push(`${configuration}, edit ${edit} of seed ${seed}: ${JSON.stringify(found)}\n${text}`);
        if (faults.length === 3) break;
      }
    }
    return { faults, messages };
  } finally {
    judge.stop();
    await server.stop();
    rmSync(root, { recursive: true, force: true });
  }
}

/** A project with one zone of a name server. */
function openDesk(root: string, port: number) {
  mkdirSync(join(root, "zones"));
  writeFileSync(join(root, "zonewright.yaml"), "");
  let nonces = 0;
  const context = {
    cwd: root,
    env: {},
    signal: new AbortController().signal,
    now: () => new Date(),
    nonce: () => String(++nonces).padStart(32, "0"),
    sleep: (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms)),
    pid: 1,
    repeat: () => () => {},
    isAlive: () => false,
    resolvers: () => [],
  };
  const [key] = readKeys(`${secretKey.name}:hmac-sha256:${secretKey.secret}`, "key");
  const target = rfc2136Target({
    server: { host: "127.0.0.1", port },
    key,
    zones: () => [readName(zone)],
    now: Date.now,
    sleep: context.sleep,
  });
  const connection = { target, api: `dns://127.0.0.1:${port}` };
  const open = () => openProject(context, { config: "zonewright.yaml", zones: ["zones"], kind: target });
  const allow = guards.map(({ guard }) => guard);
  return {
    /** Applies a master file, and plans it again. */
    async apply(text: string) {
      writeFileSync(join(root, "zones", `${zone}zone`), `$ORIGIN ${zone}\n${text}`);
      const failures: string[] = [];
      const { plan } = await apply(context, open(), connection, {
        names: [],
        allow,
        confirm: async () => true,
        onEvent: (event) => {
          if (event.kind === "zone-failed") failures.push(String(event.error));
          if (event.kind === "zone-stopped") failures.push("stopped");
        },
      });
      const { report } = await planZones(context, open(), connection, { names: [], allow });
      return { failures, left: report.plan.zones.length, writes: plan.writes };
    },
  };
}

/** dnspython, which reads zones from servers. */
function startJudge() {
  const child = spawn(join(judgesFolder, "venv/bin/python"), [join(import.meta.dirname, "served.py")], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  const answers = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    async compare(request: object): Promise<{ missing: string[]; more: string[] }> {
      child.stdin.write(`${JSON.stringify(request)}\n`);
      const { value } = await answers.next();
      return JSON.parse(value ?? '{"missing": ["the judge has ended"], "more": []}');
    },
    stop: () => child.kill(),
  };
}
