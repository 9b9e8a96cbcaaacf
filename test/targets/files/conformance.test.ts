// @suite long
import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { afterAll, beforeAll, describe } from "vitest";
import { type ProgramEnd, type RunProgram, runWithLimit } from "../../../src/targets/files/program.ts";
import { filesTarget } from "../../../src/targets/files/target.ts";
import { binaries, type Program, programs } from "../../dns/transfer/nameservers.ts";
import { isMissing } from "../../judges.ts";
import { domainName } from "../../names.ts";
import { zoneOfNumber } from "../../updates/servers.ts";
import { type Service, Silence, testTarget } from "../conformance.ts";
import { type FileServer, startFileServer } from "./file-servers.ts";

/** The zones of one server: each test takes one, in a folder of its own. */
const zonesOfServer = 80;

const otherZone = "other.example.";

interface Place {
  readonly zone: string;
  readonly folder: string;
}

function openService(server: FileServer, { zone, folder }: Place, otherFile: string): Service {
  const reload = async (words: readonly string[], options: Parameters<RunProgram>[1]): Promise<ProgramEnd> => {
    const name = words.at(-1) ?? "";
    const file = join(folder, `${name}.zone`);
    if (`${name}.` === otherZone) copyFileSync(file, otherFile);
    const fault = service.fault("change records", readFileSync(file, "latin1"));
    if (fault === "refused") return { state: "failed", reason: "exit code 1" };
    if (fault === "unavailable") return { state: "missing", reason: "it was not found" };
    if (fault === undefined || fault.endsWith("after")) {
      const end = await runWithLimit(words, options);
      if (end.state !== "done") return end;
      await service.afterWrite();
      if (fault === undefined) return end;
    }
    if (fault.startsWith("silent")) await service.silence.wait().catch(() => undefined);
    return { state: "late", reason: "no end within 60 seconds" };
  };
  const connect = () =>
    filesTarget({
      folder,
      serial: "unixtime",
      check: server.check,
      reload: server.reload,
      verifyAt: { host: "127.0.0.1", port: server.port },
      sourceOf: async () => undefined,
      cwd: folder,
      env: { PATH: process.env.PATH },
      now: Date.now,
      sleep: wait,
      run: (words, options) => (words[0] === server.reload[0] ? reload(words, options) : runWithLimit(words, options)),
    });
  const service: Service = {
    target: connect(),
    zone: domainName(zone),
    connect,
    silence: new Silence(),
    fault: () => undefined,
    afterWrite: async () => {},
  };
  return service;
}

function testServer(program: Program): void {
  describe.skipIf(isMissing(binaries[program]))(program, () => {
    const root = mkdtempSync(join(tmpdir(), "zonewright-folders-"));
    const places = Array.from({ length: zonesOfServer }, (_, index): Place => {
      const zone = zoneOfNumber(index);
      return { zone, folder: join(root, zone) };
    });
    const fileOf = ({ zone, folder }: Place) => join(folder, `${zone}zone`);
    const other = join(root, "other.zone");
    let server: FileServer;
    beforeAll(async () => {
      const files = places.map((place) => [place.zone, fileOf(place)] as const);
      server = await startFileServer(program, Object.fromEntries([...files, [otherZone, other]]));
    }, 60_000);
    afterAll(async () => {
      await server.stop();
      rmSync(root, { recursive: true, force: true });
    });
    testTarget("zone files", async () => {
      const place = places.shift();
      if (!place || existsSync(fileOf(place))) throw new Error("no zone is left");
      return openService(server, place, other);
    });
  });
}

describe("zone files", () => {
  for (const program of programs) testServer(program);
});
