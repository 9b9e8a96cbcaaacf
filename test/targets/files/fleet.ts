import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { Program } from "../../cli/process.ts";
import { Desk, type Result } from "../../cli/run.ts";

/** Loads a file: copies it to the folder of a server. */
export const copies = `reload: [cp, "{file}", served/]`;

/** A project with a folder of zone files as its target, and a folder for what a server has loaded. */
export class Fleet extends Desk {
  constructor(zones: Record<string, string>, settings = copies) {
    super();
    this.env.PATH = process.env.PATH;
    mkdirSync(join(this.folder, "srv"));
    mkdirSync(join(this.folder, "served"));
    this.configure(settings);
    for (const [file, text] of Object.entries(zones)) this.write(`zones/${file}`, text);
  }

  /** Other settings of the target, apart from kind and folder. */
  configure(settings: string): void {
    this.write("zonewright.yaml", `targets:\n  fleet: { kind: files, folder: srv, ${settings} }\n`);
  }

  /** Without what is kept of the serial beside each zone file. */
  override files(): Record<string, string> {
    const all = super.files();
    const isOfZone = (path: string) => /^srv\/\.(.*)\.written$/.exec(path)?.[1];
    return Object.fromEntries(Object.entries(all).filter(([path]) => !(`srv/${isOfZone(path)}` in all)));
  }

  /** A script that the target can run. */
  script(name: string, text: string): void {
    writeFileSync(join(this.folder, name), `#!/bin/sh\n${text}\n`, { mode: 0o755 });
  }

  apply(now?: string): Promise<Result> {
    if (now !== undefined) this.at(now);
    return this.run("apply --yes --allow G01,G03,G04,G05,G13");
  }

  /** Runs apply as a process, which waits for a server that loads files after its reload has ended. */
  async applyInTime(options = ""): Promise<void> {
    const ended = await new Program(this.folder, `apply --yes ${options}`).end();
    expect(ended).toMatchObject({ code: 0 });
  }

  at(now: string): void {
    this.now = new Date(now);
    this.waited = 0;
  }

  /** The serial in a file. */
  serial(file = "srv/example.com.zone"): number {
    return serialIn(readFileSync(join(this.folder, file), "latin1"));
  }
}

export function serialIn(text: string): number {
  return Number(/\bSOA\s+\S+\s+\S+\s+\(?\s*(\d+)/.exec(text)?.[1]);
}

/** A zone file with comments and a layout of its own. */
export const master = (address = "192.0.2.3"): string => `; the shop
$ORIGIN example.com.
$TTL 1h
@  IN SOA ns1 hostmaster ( 7 ; serial: zonewright sets it
       4h 1h 2w 1h )
@  NS ns1
@  NS ns2
ns1 A 192.0.2.1
ns2 A 192.0.2.2
www A ${address} ; the web
`;
