import { execFileSync, spawn } from "node:child_process";
import { chownSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findPostgres } from "../judges.ts";

export interface Cluster {
  /** The URL of a database of this name. */
  url(database: string): string;
  stop(): Promise<void>;
}

/**
 * A PostgreSQL of our own in a temporary folder, reached by a socket in it. By default it does not wait for the disk:
 * what is tested dies as a process, not as a machine. Its programs refuse to be root, so root runs them as `postgres`.
 */
export async function startCluster({ fsync = false } = {}): Promise<Cluster> {
  const folder = mkdtempSync(join(tmpdir(), "zonewright-postgres-"));
  const owner = process.getuid?.() === 0 ? { uid: idOf("-u"), gid: idOf("-g") } : {};
  if (owner.uid !== undefined) chownSync(folder, owner.uid, owner.gid);
  const data = join(folder, "data");
  const options = { ...owner, cwd: folder };
  const program = (name: string) => join(findPostgres() ?? "", name);
  const initial = ["-D", data, "-U", "zonewright", "-A", "trust", "-E", "UTF8", "--locale=C.UTF-8", "--no-sync"];
  execFileSync(program("initdb"), initial, { ...options, stdio: ["ignore", "ignore", "pipe"] });
  const waits = fsync ? "on" : "off";
  const settings = {
    listen_addresses: "",
    unix_socket_directories: folder,
    fsync: waits,
    full_page_writes: waits,
    max_connections: "500", // several test files at once, each with stores of some ten connections
  };
  const words = Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
  const server = spawn(program("postgres"), ["-D", data, ...words], {
    ...options,
    stdio: ["ignore", "ignore", "pipe"],
  });
  const ended = new Promise<void>((resolve) => server.once("close", () => resolve()));
  await new Promise<void>((resolve, reject) => {
    let said = "";
    server.stderr.setEncoding("utf8").on("data", (text: string) => {
      said += text;
      if (said.includes("ready to accept connections")) resolve();
    });
    server.once("close", () => reject(new Error(`PostgreSQL does not start:\n${said}`)));
  });
  return {
    url: (database) => `postgres://zonewright@localhost/${database}?host=${encodeURIComponent(folder)}`,
    stop: async () => {
      server.kill("SIGINT");
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function idOf(flag: "-u" | "-g"): number {
  return Number(execFileSync("id", [flag, "postgres"], { encoding: "utf8" }));
}
