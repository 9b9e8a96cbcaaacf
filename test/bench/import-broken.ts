import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { programWords } from "../cli/process.ts";
import { breakageOf, breakages, keyText, zoneName } from "../dns/transfer/broken-server.ts";
import { type Case, perSecond, count as quantity, ratio, seconds } from "./case.ts";

const count = Number(process.env.BENCH_ZONES ?? 5000);
const every = 50;
const child = fileURLToPath(new URL("./import-broken-child.ts", import.meta.url));

/** A failed zone and its problem, as the text report shows it. */
const summaries: Readonly<Record<keyof typeof breakages, RegExp>> = {
  refused: /refused the request/,
  lame: /not authoritative/,
  truncated: /truncated response/,
  "wrong-tsig": /BADSIG/,
  endless: /more than 100000 records/,
  "other-serial": /ends with another SOA/,
  closed: /ended early/,
};

/**
 * Generated zones from a name server that breaks one in fifty transfers, into an empty folder and into the full one:
 * zones a second, the memory of the process along the way, and whether each broken zone was reported once.
 */
export async function* importBrokenZones(): AsyncGenerator<Case> {
  const server = spawn(process.execPath, ["--import", "tsx", child, String(every)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const folder = mkdtempSync(join(tmpdir(), "zonewright-bench-"));
  try {
    const [port] = await once(server.stdout, "data");
    const address = `127.0.0.1:${String(port).trim()}`;
    const zones = Array.from({ length: count }, (_, index) => index);
    writeFileSync(join(folder, "zones.txt"), zones.map((index) => `${zoneName(index)}\n`).join(""));
    writeFileSync(join(folder, "transfer.key"), keyText);
    const options = `--zones-file zones.txt --tsig-key transfer.key --resolver ${address}`;
    for (const title of ["generated zones", "the same zones again"]) {
      const run = await measure(folder, `import axfr ${options} --from ${address}`);
      const broken = checkReport(run);
      yield { name: title, ...run.measured, note: `${broken} broken zones, each reported once; exit code 5` };
    }
  } finally {
    server.kill();
    rmSync(folder, { recursive: true });
  }
}

interface Measured {
  readonly measured: Pick<Case, "numbers" | "ratios">;
  readonly code: number;
  readonly out: string;
  readonly talk: string;
  readonly files: number;
}

/** Runs the built program; its memory is read whenever another tenth of the zones is printed. */
async function measure(cwd: string, command: string): Promise<Measured> {
  const begin = performance.now();
  const { PATH, HOME } = process.env;
  const [name, ...before] = programWords;
  const program = spawn(name, [...before, ...command.split(" ")], { cwd, env: { PATH, HOME } });
  const sizes: number[] = [];
  let [out, talk, zones] = ["", "", 0];
  program.stdout.setEncoding("utf8").on("data", (text: string) => {
    out += text;
    zones += text.match(/^(?:wrote|unchanged|failed) /gm)?.length ?? 0;
    while (sizes.length < Math.floor((10 * zones) / count)) sizes.push(residentSize(program.pid));
  });
  program.stderr.setEncoding("utf8").on("data", (text: string) => {
    talk += text;
  });
  const [code] = await once(program, "close");
  const time = (performance.now() - begin) / 1000;
  const [fifth = 0, last = 0] = [sizes[1], sizes[8]]; // after the last line it may have ended
  const measured = {
    numbers: { time: seconds(time), zones: perSecond(count / time), "memory at 90 %": quantity(last, "MB") },
    ratios: { "memory at 90 %": ratio(last, fifth, { to: "memory at 20 % of the zones", better: "lower" }) },
  };
  return { measured, code, out, talk, files: readdirSync(join(cwd, "zones")).length };
}

/** The memory of a process, in megabytes. */
function residentSize(pid: number | undefined): number {
  const [, kilobytes = "0"] = /VmRSS:\s*(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
  return Math.round(Number(kilobytes) / 1024);
}

/** Zones with the same problem that the report names; it counts further ones. */
const mostShown = 10;

/**
 * The number of broken zones.
 * @throws {Error} if a broken zone is not reported or counted exactly once with its problem, or another one is.
 */
function checkReport({ code, out, talk, files }: Measured): number {
  const failed = out.match(/^failed .*/gm) ?? [];
  const broken = Array.from({ length: count }, (_, index) => index).filter((index) => breakageOf(index, every));
  const kinds = Object.keys(breakages).length;
  const shown = broken.slice(0, mostShown * kinds);
  const wrong = shown.filter((index, position) => {
    const line = failed[position] ?? "";
    const breakage = breakageOf(index, every) ?? "refused";
    return !line.startsWith(`failed ${zoneName(index)}: `) || !summaries[breakage].test(line);
  });
  const more = failed.slice(shown.length).map((line) => Number(/^failed (\d+) more: /.exec(line)?.[1]));
  const ids = talk.match(/(?<=^error\[)[^\]]+/gm) ?? [];
  const isRight =
    code === 5 &&
    wrong.length === 0 &&
    more.length === Math.min(kinds, broken.length - shown.length) &&
    more.reduce((sum, number) => sum + number, shown.length) === broken.length &&
    files === count - broken.length &&
    ids.toSorted().join() === Object.values(breakages).sort().join();
  if (!isRight) throw new Error(`exit code ${code}, ${files} files, errors ${ids}\n${failed.join("\n")}`);
  return broken.length;
}
