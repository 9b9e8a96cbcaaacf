import { readFileSync } from "node:fs";
import { readBind } from "../../src/sources/bind/read.ts";
import { Scanner } from "../../src/sources/bind/scan.ts";
import { byOwner } from "../../src/zone/zone.ts";

/** One reader in a process of its own: prints the best of three times and the peak of its memory. */
const [name = "", file = ""] = process.argv.slice(2);
const bytes = readFileSync(file);
const read = await reader(name);
const times = Array.from({ length: 4 }, () => {
  const begin = performance.now();
  read();
  return performance.now() - begin;
});
console.log(JSON.stringify({ ms: Math.min(...times.slice(1)), peakBytes: process.resourceUsage().maxRSS * 1024 }));

async function reader(name: string): Promise<() => unknown> {
  const ours = () => readBind({ file, bytes, origin: "example.com." }).zone.records;
  switch (name) {
    case "zonewright scan":
      return () => {
        const scanner = new Scanner(bytes.toString("latin1"));
        while (scanner.next());
      };
    case "zonewright read":
      return ours;
    case "zonewright index":
      return () => byOwner(ours());
    case "dnsz": {
      const { parseZone } = await import("dnsz");
      return () => parseZone(bytes.toString("utf8"));
    }
    case "dns-zonefile": {
      const { parse } = (await import("dns-zonefile")).default;
      return () => parse(bytes.toString("utf8"));
    }
    default:
      throw new Error(`no reader ${name}`);
  }
}
