import { execFileSync } from "node:child_process";
import { cpSync, existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { afterEach, describe, expect, test } from "vitest";
import { isMissing } from "../../judges.ts";
import { type FileServer, startFileServer } from "./file-servers.ts";
import { Fleet, master } from "./fleet.ts";

const file = "srv/example.com.zone";
const journal = `${file}.jnl`;

/** A folder whose zone BIND serves, with a journal of the differences between its versions. */
class Published extends Fleet {
  #server: FileServer | undefined;

  constructor() {
    super({ "example.com.zone": master() });
    this.sleep = (ms) => wait(ms);
  }

  async startBind(): Promise<void> {
    const server = await startFileServer("bind", { "example.com": join(this.folder, file) });
    const words = JSON.stringify(server.reload);
    this.configure(`reload: ${words}, verify_at: "127.0.0.1:${server.port}"`);
    this.#server = server;
  }

  async stopBind(): Promise<void> {
    await this.#server?.stop();
    this.#server = undefined;
  }

  /** Has BIND load the file without zonewright. */
  reload(): void {
    const [program = "", ...words] = this.#server?.reload ?? [];
    execFileSync(program, [...words.slice(0, -1), "example.com"], { stdio: "pipe" });
  }

  /** The address that BIND answers with, or the rcode. */
  answer(): string {
    const at = ["@127.0.0.1", "-p", String(this.#server?.port), "+tries=1", "+time=5"];
    const reply = execFileSync("dig", [...at, "www.example.com", "A"], { encoding: "utf8" });
    return /^www\.example\.com\..*\sA\s+(\S+)$/m.exec(reply)?.[1] ?? String(/status: (\w+)/.exec(reply)?.[1]);
  }

  /** Publishes the zone with an address, each time a minute later. */
  async publish(address: string): Promise<void> {
    this.write("zones/example.com.zone", master(address));
    this.at(new Date(this.now.getTime() + 60_000).toISOString());
    const { code, talk, out } = await this.apply();
    expect({ code, talk, out }).toMatchObject({ code: 0 });
  }

  get hasJournal(): boolean {
    return existsSync(join(this.folder, journal));
  }

  get plan(): Promise<string> {
    return this.run("plan").then(({ out }) => out);
  }
}

let fleet: Published;
afterEach(() => fleet.stopBind());

/** Three versions, of which BIND has the differences. */
async function published(): Promise<Published> {
  fleet = new Published();
  await fleet.startBind();
  for (const address of ["192.0.2.1", "192.0.2.2", "192.0.2.3"]) await fleet.publish(address);
  expect([fleet.answer(), fleet.hasJournal]).toEqual(["192.0.2.3", true]);
  return fleet;
}

const inSync = "in sync: 1 zone, nothing to do\n";

describe.skipIf(isMissing("named", "dig"))("the journal that BIND keeps of a file", () => {
  test("of a backup is removed once BIND has loaded a later file, so that BIND can start again", async () => {
    await published();
    cpSync(join(fleet.folder, "srv"), join(fleet.folder, "backup"), { recursive: true });
    await fleet.publish("192.0.2.4");
    rmSync(join(fleet.folder, "srv"), { recursive: true });
    cpSync(join(fleet.folder, "backup"), join(fleet.folder, "srv"), { recursive: true });
    await fleet.publish("192.0.2.4");
    expect(fleet.hasJournal).toBe(false);
    await fleet.stopBind();
    await fleet.startBind();
    expect(fleet.answer()).toBe("192.0.2.4");
  });

  test("of a backup that keeps BIND from the zone is removed by the next apply, which loads the file", async () => {
    await published();
    cpSync(join(fleet.folder, journal), join(fleet.folder, "backup.jnl"));
    await fleet.publish("192.0.2.4");
    await fleet.stopBind();
    cpSync(join(fleet.folder, "backup.jnl"), join(fleet.folder, journal));
    await fleet.startBind();
    expect(fleet.answer()).toBe("SERVFAIL");
    expect(await fleet.plan).not.toBe(inSync);
    const serial = fleet.serial();
    await fleet.publish("192.0.2.4");
    expect([fleet.answer(), fleet.serial(), await fleet.plan]).toEqual(["192.0.2.4", serial, inSync]);
  });

  test("of a file that is gone is removed by the next apply, and its serial counts", async () => {
    await published();
    const serial = fleet.serial();
    await fleet.stopBind();
    rmSync(join(fleet.folder, file));
    await fleet.startBind();
    expect(fleet.answer()).toBe("SERVFAIL");
    fleet.at("2026-03-04T12:00:00Z"); // before the versions above
    await fleet.publish("192.0.2.3");
    expect([fleet.answer(), fleet.serial(), await fleet.plan]).toEqual(["192.0.2.3", serial + 1, inSync]);
  });
});

test.skipIf(isMissing("named", "dig"))(
  "a file that was loaded later counts as loaded, also once the server is down",
  async () => {
    await published();
    const settings = fleet.read("zonewright.yaml");
    fleet.write("zonewright.yaml", settings.replace(/reload: \[.*?\]/, 'reload: ["false"]'));
    fleet.write("zones/example.com.zone", master("192.0.2.4"));
    expect((await fleet.apply("2026-03-04T13:00:00Z")).code).toBe(1);
    fleet.write("zonewright.yaml", settings);
    fleet.reload();
    await expect.poll(() => fleet.answer()).toBe("192.0.2.4");
    expect(await fleet.plan).toBe(inSync);
    expect(Object.keys(fleet.files()).filter((path) => path.includes(".loaded"))).toEqual([]);
    await fleet.stopBind();
    expect(await fleet.plan).toBe(inSync);
  },
);
