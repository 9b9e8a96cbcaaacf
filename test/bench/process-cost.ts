import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** The cost of a process with the children that it waited for. */
export interface ProcessCost {
  readonly wallSeconds: number;
  /** User and system time. */
  readonly cpuSeconds: number;
  /** The most memory that one of its processes had at once. */
  readonly peakBytes: number;
  /** 127 if the program is not installed; then nothing else is known. */
  readonly code: number;
  /** Standard output. */
  readonly out: string;
  /** Standard error. */
  readonly talk: string;
}

/** Runs a command to its end and measures it with Python's `os.wait4`, whichever language the program is written in. */
export async function measureProcess(
  words: readonly string[],
  { cwd, env = {} }: { readonly cwd: string; readonly env?: Readonly<Record<string, string>> },
): Promise<ProcessCost> {
  const folder = mkdtempSync(join(tmpdir(), "zonewright-bench-"));
  try {
    const file = join(folder, "cost.json");
    const child = spawn("python3", ["-c", meter, file, ...words], {
      cwd,
      env: { PATH: process.env.PATH, HOME: cwd, LC_ALL: "C.UTF-8", ...env },
      stdio: ["ignore", "pipe", "pipe"],
    });
    const texts = { out: "", talk: "" };
    child.stdout.setEncoding("utf8").on("data", (text) => {
      texts.out += text;
    });
    child.stderr.setEncoding("utf8").on("data", (text) => {
      texts.talk += text;
    });
    await once(child, "close");
    return { ...JSON.parse(readFileSync(file, "utf8")), ...texts };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const meter = `
import json, os, sys, time
file, *words = sys.argv[1:]
begin = time.monotonic()
cost = {"code": 127}
try:
    _, status, used = os.wait4(os.posix_spawnp(words[0], words, os.environ), 0)
    cost = {
        "wallSeconds": time.monotonic() - begin,
        "cpuSeconds": used.ru_utime + used.ru_stime,
        "peakBytes": used.ru_maxrss * 1024,
        "code": os.waitstatus_to_exitcode(status),
    }
except FileNotFoundError:
    pass
json.dump(cost, open(file, "w"))
`;
