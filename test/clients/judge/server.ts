import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { embeddedCatalog } from "../../../src/server/catalog/embedded.ts";
import type { Access } from "../../../src/server/http/access-log.ts";

const program = fileURLToPath(new URL("../../../dist/cli/main.js", import.meta.url));

/** Capabilities by which tests choose a region: those whose services the server lacks fail where they ask for them. */
const asked = [
  ...["Balancers", "VPCs", "VPC IPv6 Stack", "VPC Dual Stack", "Custom VPC IPv4 Ranges", "Linode Interfaces"],
  ...["Maintenance Policy", "Metadata", "Placement Group", "Disk Encryption", "Block Storage Encryption"],
  ...["Kubernetes", "Kubernetes Enterprise", "Object Storage", "Managed Databases", "Machine Images"],
];

const catalog = {
  ...embeddedCatalog,
  extra_public_ipv4: 1,
  regions: embeddedCatalog.regions.map((region) => ({
    ...region,
    capabilities: [...region.capabilities, ...asked],
  })),
};

export interface Server {
  readonly url: string;
  readonly token: string;
  /** An empty folder, which is deleted afterwards. */
  readonly folder: string;
}

/** Runs `zonewright serve --profile live` during `use`, with fast jobs; returns its result and the requests. */
export async function withServer<T>(
  use: (server: Server) => Promise<T>,
  options: readonly string[] = [],
): Promise<{ value: T; requests: readonly Access[] }> {
  const folder = mkdtempSync(join(tmpdir(), "zonewright-judge-"));
  const token = "secret-for-tests";
  const catalogFile = join(folder, "catalog.yaml");
  writeFileSync(catalogFile, JSON.stringify(catalog));
  const words = ["serve", "--ephemeral", "--port", "0", "--profile", "live", "--job-time", "0.01", "--no-console"];
  const child = spawn(process.execPath, [program, ...words, "--access-log", "--catalog", catalogFile, ...options], {
    cwd: folder,
    env: { PATH: process.env.PATH, HOME: folder, ZONEWRIGHT_SERVE_TOKEN: token },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let log = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    log += text;
  });
  const ended = once(child, "close");
  try {
    const url = await new Promise<string>((resolve, reject) => {
      let out = "";
      child.stdout.setEncoding("utf8").on("data", (text: string) => {
        out += text;
        const [found] = /http:\/\/127\.0\.0\.1:\d+/.exec(out) ?? [];
        if (found !== undefined) resolve(found);
      });
      child.once("close", () => reject(new Error(`zonewright serve ended:\n${log}`)));
    });
    const place = join(folder, "client");
    const value = await use({ url, token, folder: mkdtempSync(place) });
    child.kill("SIGINT");
    await ended;
    const requests = log.split("\n").filter((line) => line.startsWith("{"));
    return { value, requests: requests.map((line) => JSON.parse(line)) };
  } finally {
    child.kill("SIGKILL");
    rmSync(folder, { recursive: true, force: true });
  }
}
