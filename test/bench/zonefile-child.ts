import { readFileSync } from "node:fs";
import { byOwner } from "../../src/dns/zone/owners.ts";
import { Scanner } from "../../src/formats/kit/scan.ts";
import { readBind } from "../formats/api.ts";
import { domainName } from "../names.ts";

/**
 * Runs one reader `times` times in its own process: prints the time of each and the peak of memory. The reader that
 * reads nothing loads the same modules.
 */
const [name = "", file = "", times = "1"] = process.argv.slice(2);
/**
 * The bytes are read before timing. To measure memory they are read on use, so that they are freed early.
 */
const ready = Number(times) > 1 ? readFileSync(file) : undefined;
const bytes = () => ready ?? readFileSync(file);
const read = await reader(name);
const ms = Array.from({ length: Number(times) }, () => {
  const begin = performance.now();
  read();
  return performance.now() - begin;
});
console.log(JSON.stringify({ ms, peakBytes: process.resourceUsage().maxRSS * 1024 }));

async function reader(name: string): Promise<() => unknown> {
  const ours = () => readBind({ file, bytes: bytes(), origin: domainName("example.com.") }).zone.records;
  switch (name) {
    case "nothing":
      return () => {};
    case "zonewright scan":
      return () => {
        const scanner = new Scanner(bytes().toString("latin1"));
        while (scanner.next());
      };
    case "zonewright read":
      return ours;
    case "zonewright index":
      return () => byOwner(ours());
    case "zonewright records":
      return () => [...ours()];
    case "dnsz": {
      const { parseZone } = await import("dnsz");
      return () => parseZone(bytes().toString("utf8"));
    }
    case "dns-zonefile": {
      const { parse } = (await import("dns-zonefile")).default;
      return () => parse(bytes().toString("utf8"));
    }
    default:
      throw new Error(`unknown reader "${name}"`);
  }
}
