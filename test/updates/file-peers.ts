import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { askSoa } from "../../src/dns-client/ask.ts";
import { domainName } from "../names.ts";
import { type Ended, runProgram } from "../run-program.ts";
import { type FileServer, startFileServer } from "../targets/files/file-servers.ts";
import { serialIn } from "../targets/files/fleet.ts";
import { canRun, dnsConfigOf, dnscontrol, guards, octodns, wantedOf } from "./peers.ts";
import { zoneOfNumber, zoneText } from "./servers.ts";

/**
 * `npm run build && npm run judge:updates -- files`: has DNSControl with its BIND provider, octodns-bind and zonewright
 * write the zone files of a BIND, and prints the table of docs/compare.md. A program that is missing is left out.
 */
const main = resolve(import.meta.dirname, "../../dist/cli/main.js");
const first = zoneOfNumber(0);
const second = zoneOfNumber(1);
const catalog = "catalog.example.";
const lateSerial = 2_030_010_101;

/** A program that writes the zones of a folder as zone files, in the state of a project. */
interface FilePeer {
  readonly name: string;
  readonly isInstalled: boolean;
  /** Writes what the program reads besides the zones; returns the command. */
  prepare(world: World): readonly string[];
}

const filePeers: readonly FilePeer[] = [
  {
    name: "DNSControl, BIND",
    isInstalled: canRun(dnscontrol),
    prepare({ folder, zones }) {
      writeFileSync(join(folder, "creds.json"), JSON.stringify({ server: { TYPE: "BIND", directory: "srv" } }));
      const config = zones.map((zone) => dnsConfigOf(zone, wantedOf(join(folder, "zones", `${zone}zone`), zone)));
      // BIND does not load the SOA record that it writes otherwise.
      const soa = { default_soa: { master: "ns1.example.net.", mbox: "hostmaster.example.net." } };
      const provider = `NewDnsProvider("server", ${JSON.stringify(soa)})`;
      writeFileSync(join(folder, "dnsconfig.js"), config.join("").replaceAll('NewDnsProvider("server")', provider));
      return [dnscontrol, "push", "--no-colors"];
    },
  },
  {
    name: "octodns-bind",
    isInstalled: canRun(octodns),
    prepare({ folder, out, zones }) {
      const config = join(folder, "production.yaml");
      const provider = (directory: string) =>
        `{class: octodns_bind.ZoneFileProvider, directory: ${directory}, file_extension: .zone}`;
      const list = zones.map((zone) => `  ${zone}: {sources: [files], targets: [server]}\n`);
      const providers = `  files: ${provider(join(folder, "zones"))}\n  server: ${provider(out)}\n`;
      writeFileSync(config, `providers:\n${providers}zones:\n${list.join("")}`);
      return [octodns, "--config-file", config, "--doit", "--force"];
    },
  },
  {
    name: "zonewright",
    isInstalled: existsSync(main), // npm run build
    prepare({ folder, server, deleted }) {
      const programs = `check: ${JSON.stringify(server.check)}, reload: ${JSON.stringify(server.reload)}`;
      const target = `{ kind: files, folder: srv, ${programs}, verify_at: "127.0.0.1:${server.port}", catalog: catalog.example }`;
      writeFileSync(join(folder, "zonewright.yaml"), `targets:\n  fleet: ${target}\n`);
      const deletions = deleted.flatMap((zone) => ["--delete-zone", zone.slice(0, -1)]);
      return [process.execPath, main, "apply", "--yes", "--allow", guards, ...deletions];
    },
  },
];

/** A project of two zones, the folder with the written files, and a BIND that serves them. */
class World {
  readonly folder = mkdtempSync(join(tmpdir(), "zonewright-file-peers-"));
  readonly out = join(this.folder, "srv");
  /** The zones of the project, and those that were asked to be deleted. */
  zones: readonly string[] = [first, second];
  deleted: readonly string[] = [];
  #server: FileServer | undefined;

  get server(): FileServer {
    if (!this.#server) throw new Error("BIND does not run");
    return this.#server;
  }

  async start(): Promise<void> {
    for (const folder of [this.out, join(this.folder, "zones")]) mkdirSync(folder);
    const files = [first, second, catalog].map((zone) => [zone.slice(0, -1), this.pathOf(zone)] as const);
    this.#server = await startFileServer("bind", Object.fromEntries(files));
    for (const zone of this.zones) this.write(zone);
  }

  async stop(): Promise<void> {
    await this.#server?.stop();
    rmSync(this.folder, { recursive: true, force: true });
  }

  pathOf(zone: string): string {
    return join(this.out, `${zone}zone`);
  }

  /** The zone in the project, with an address of www, and more lines. */
  write(zone: string, address = "192.0.2.10", more = ""): void {
    const text = zoneText(zone).replace("www A 192.0.2.10\n", `www A ${address}\n`) + more;
    writeFileSync(join(this.folder, "zones", `${zone}zone`), text);
  }

  read(zone = first): string {
    return existsSync(this.pathOf(zone)) ? readFileSync(this.pathOf(zone), "utf8") : "";
  }

  serial(zone = first): number {
    return serialIn(this.read(zone));
  }

  /** Runs the program, with a limit of the size of files in octets. */
  run(peer: FilePeer, largest?: number): Promise<Ended> {
    const limit = largest === undefined ? [] : ["prlimit", `--fsize=${largest}`];
    return runProgram([...limit, ...peer.prepare(this)], { cwd: this.folder });
  }

  /** Has BIND load a zone, as an operator does. */
  async load(zone = first): Promise<void> {
    await runProgram(this.server.reload.map((word) => word.replace("{zone}", zone.slice(0, -1))));
    await this.served(this.serial(zone), zone);
  }

  /** The serial that BIND has for a zone, at the latest after two seconds; 0 if it does not serve the zone. */
  async served(wanted: number, zone = first): Promise<number> {
    const bounds = { timeoutMs: 200, attempts: 1 };
    for (let left = 40; ; left--) {
      const asked = askSoa({ host: "127.0.0.1", port: this.server.port }, domainName(zone), { bounds });
      const serial = await asked.then(({ data }) => data.serial).catch(() => 0);
      if (serial === wanted || left === 0) return serial;
      await wait(50);
    }
  }
}

type Row = (peer: FilePeer, world: World) => Promise<string>;

const direction = (from: number, to: number) =>
  to > from ? `rises: ${from} → ${to}` : to === from ? `stays: ${from}` : `falls: ${from} → ${to}`;

const ended = ({ code }: Ended) => `exit code ${code}`;

/** Whether the output of a run names a text. */
const told = ({ out, talk }: Ended, text: string) => (`${out}${talk}`.includes(text) ? "told" : "not told");

const rows: Readonly<Record<string, Row>> = {
  "serial: 101 changes in a day": async (peer, world) => {
    await world.run(peer);
    const serials = [world.serial()];
    for (let change = 1; change <= 101; change++) {
      world.write(first, `192.0.2.${change}`);
      await world.run(peer);
      serials.push(world.serial());
    }
    const rising = serials.filter((serial, index) => index > 0 && serial > (serials[index - 1] ?? 0)).length;
    return `rises ${rising} times: ${serials[0]} → ${serials.at(-1)}`;
  },
  "serial: the file has one of 2030, as after a clock that was ahead": async (peer, world) => {
    await world.run(peer);
    writeFileSync(world.pathOf(first), world.read().replace(String(world.serial()), String(lateSerial)));
    world.write(first, "192.0.2.20");
    await world.run(peer);
    return direction(lateSerial, world.serial());
  },
  "serial: the folder is empty, as on a fresh runner, and BIND serves three changes of the day": async (
    peer,
    world,
  ) => {
    await world.run(peer);
    for (const address of ["192.0.2.20", "192.0.2.21", "192.0.2.22"]) {
      world.write(first, address);
      await world.run(peer);
    }
    await world.load();
    const before = await world.served(world.serial());
    for (const file of readdirSync(world.out)) rmSync(join(world.out, file));
    world.write(first, "192.0.2.23");
    await world.run(peer);
    return direction(before, world.serial());
  },
  "nothing changed": async (peer, world) => {
    await world.run(peer);
    const before = world.read();
    await wait(1_100); // a serial may be the time in seconds
    await world.run(peer);
    return world.read() === before ? "the file stays" : "the file is replaced, with another serial";
  },
  "a change is served after the run": async (peer, world) => {
    await world.run(peer);
    await world.load();
    world.write(first, "192.0.2.20");
    await wait(1_100);
    const end = await world.run(peer);
    return (await world.served(world.serial())) === world.serial() ? `yes, ${ended(end)}` : `no, ${ended(end)}`;
  },
  "a zone that BIND refuses to load": async (peer, world) => {
    await world.run(peer);
    world.write(first, "192.0.2.20", "_sip._tcp A 192.0.2.60\n");
    const end = await world.run(peer);
    return `the new file ${world.read().includes("192.0.2.60") ? "is written" : "is not written"}, ${ended(end)}`;
  },
  "a record that someone added to the file by hand": async (peer, world) => {
    await world.run(peer);
    writeFileSync(world.pathOf(first), `${world.read()}shop 300 IN A 198.51.100.44\n`);
    const end = await world.run(peer);
    return `${world.read().includes("198.51.100.44") ? "stays" : "is removed"}, ${told(end, "198.51.100.44")}`;
  },
  "the file of a zone that left the project": async (peer, world) => {
    await world.run(peer);
    world.zones = [first];
    rmSync(join(world.folder, "zones", `${second}zone`));
    const end = await world.run(peer);
    const state = existsSync(world.pathOf(second)) ? "stays" : "is removed";
    world.deleted = [second];
    if (peer.name !== "zonewright") return `${state}, ${told(end, second.slice(0, -1))}`;
    await world.run(peer);
    const after = existsSync(world.pathOf(second)) ? "stays" : "is removed";
    return `${state}, ${told(end, second.slice(0, -1))}; with --delete-zone, it ${after}`;
  },
  "secondaries learn a new zone": async (peer, world) => {
    await world.run(peer);
    const isListed = world.read(catalog).includes(first);
    return isListed ? "by the catalog zone" : "no";
  },
  "the disk is full while a file of 2,000 records is written": async (peer, world) => {
    const many = Array.from({ length: 2_000 }, (_, index) => `host-${index} A 192.0.2.1\n`).join("");
    world.write(first, "192.0.2.10", many);
    await world.run(peer);
    const before = world.read();
    await wait(1_100);
    world.write(first, "192.0.2.20", many);
    const end = await world.run(peer, 16_384);
    const state = world.read() === before ? "the old file stays" : "a part of the file is left";
    const again = await world.run(peer);
    const isDone = wantedOf(world.pathOf(first), first).has("www 300 A 192.0.2.20");
    return `${state}, ${ended(end)}; the next run ${isDone ? "writes it" : "does not write it"}, ${ended(again)}`;
  },
};

export async function printFilePeers(): Promise<void> {
  const chosen = filePeers.filter(({ isInstalled }) => isInstalled);
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  console.log(line(["", ...chosen.map(({ name }) => name)]));
  console.log(`|${"---|".repeat(chosen.length + 1)}`);
  for (const [title, row] of Object.entries(rows)) {
    const cells: string[] = [];
    for (const peer of chosen) {
      const world = new World();
      try {
        await world.start();
        cells.push(await row(peer, world));
      } finally {
        await world.stop();
      }
    }
    console.log(line([title, ...cells]));
  }
}
