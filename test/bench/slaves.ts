import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { writeMessage } from "../../src/dns/transfer/message-writer.ts";
import { askSoa } from "../../src/dns-client/ask.ts";
import { type ServerAddress, timeBounds } from "../../src/dns-client/server-address.ts";
import { overTcp } from "../../src/dns-client/tcp.ts";
import { startNameServer } from "../dns/transfer/nameservers.ts";
import { findProgram } from "../judges.ts";
import { domainName } from "../names.ts";
import { type Case, mebibytes, perSecond, ratio, seconds } from "./case.ts";

const zone = "large.example";
const name = domainName(`${zone}.`);
const child = fileURLToPath(new URL("slave-child.ts", import.meta.url));

/**
 * A slave zone of a million records, or of the argument: the time from the start until it is served, the peak memory,
 * and the records a second of its transfer to a client, beside its master, Knot.
 */
export async function* run(records = 1_000_000): AsyncGenerator<Case> {
  if (findProgram("knotd") === undefined) {
    yield { name: "not measured", note: "install the Debian package knot" };
    return;
  }
  const folder = mkdtempSync(join(tmpdir(), "zonewright-bench-"));
  const lines = Array.from({ length: records }, (_, index) => `h${index} 300 IN A 192.0.2.${index % 250}\n`);
  const head = `$ORIGIN ${zone}.\n@ 300 IN SOA ns h 1 14400 3600 1209600 300\n@ 300 IN NS ns\nns 300 IN A 192.0.2.1\n`;
  const master = await startNameServer("knot", { zones: { [`${zone}.`]: head + lines.join("") } });
  const begin = performance.now();
  const args = ["--import", "tsx", child, folder, zone, String(master.port), String(records * 2)];
  const slave = spawn("node", args, { stdio: ["pipe", "pipe", "inherit"] });
  try {
    const [port] = await once(slave.stdout, "data");
    const own = { host: master.host, port: Number(String(port)) };
    while (!(await isServed(own))) await new Promise((resolve) => setTimeout(resolve, 100));
    const time = (performance.now() - begin) / 1000;
    const memory = Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${slave.pid}/status`, "utf8"))?.[1]) * 1024;
    const group = `a slave zone of ${records.toLocaleString("en")} records`;
    yield { group, name: "until it is served", numbers: { time: seconds(time), "peak memory": mebibytes(memory) } };
    const turns = [];
    for (let turn = 0; turn < 3; turn++)
      turns.push({ ours: await transferTime(own), theirs: await transferTime(master) });
    const [ours, theirs] = [turns.map(({ ours }) => ours), turns.map(({ theirs }) => theirs)];
    const best = (times: readonly number[]) => perSecond(records / Math.min(...times));
    yield {
      group,
      name: "its transfer to a client",
      numbers: { records: best(ours), "records of Knot": best(theirs) },
      ratios: { time: ratio(ours, theirs, { to: "Knot", better: "lower" }) },
    };
  } finally {
    slave.stdin.end();
    await master.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function isServed(server: ServerAddress): Promise<boolean> {
  return askSoa(server, name, { bounds: { timeoutMs: 1000, attempts: 1 } }).then(
    () => true,
    () => false,
  );
}

/** Seconds of a transfer, whose records are not read: it ends with a message that ends with the SOA record. */
async function transferTime(server: ServerAddress): Promise<number> {
  const begin = performance.now();
  const query = writeMessage({ questions: [{ name, type: "AXFR", class: 1 }] });
  let left = 2;
  for await (const octets of overTcp(query, server, timeBounds)) {
    // The serial and times of the SOA record.
    const soa = Buffer.from([0, 0, 0, 1, 0, 0, 0x38, 0x40]);
    for (let at = octets.indexOf(soa); at >= 0; at = octets.indexOf(soa, at + 1)) left--;
    if (left <= 0) break;
  }
  return (performance.now() - begin) / 1000;
}
