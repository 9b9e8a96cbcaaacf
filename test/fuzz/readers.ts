import { performance } from "node:perf_hooks";
import * as fc from "fast-check";
import { type Input, inputs } from "./inputs.ts";
import { judge } from "./judge.ts";

/** CPU limit in milliseconds per input and per byte: ten times a slow input. */
const patience = { each: 3000, octet: 0.05 };

/** Feeds mutated zone files to every reader. Returns whether each was read correctly. */
export function fuzzReaders(count = 200_000, seed = Date.now() & 0x7fffffff): boolean {
  const started = performance.now();
  let slowest = { time: 0, format: "", octets: 0 };
  const look = ({ format, bytes }: Input): void => {
    const before = process.cpuUsage();
    judge(format, bytes);
    const { user, system } = process.cpuUsage(before); // others on the machine do not count
    const time = (user + system) / 1000;
    if (time > slowest.time) slowest = { time, format, octets: bytes.length };
    if (time > patience.each + patience.octet * bytes.length)
      throw new Error(`reading takes ${Math.round(time)} ms of CPU`);
  };
  process.stdout.write(`seed ${seed}, ${count} inputs\n`);
  const result = fc.check(fc.property(inputs(true), look), { numRuns: count, seed });
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  process.stdout.write(
    `${result.numRuns} inputs in ${seconds} s; slowest ${slowest.time.toFixed(0)} ms, ${slowest.format} of ${slowest.octets} bytes\n`,
  );
  if (!result.failed) return true;
  const [{ format, bytes } = { format: "", bytes: new Uint8Array() }] = result.counterexample ?? [];
  const error = result.errorInstance;
  process.stdout.write(
    `seed ${seed} failed after ${result.numRuns} inputs: ${error instanceof Error ? error.stack : error}\n`,
  );
  process.stdout.write(`${format} ${JSON.stringify(Buffer.from(bytes).toString("latin1"))}\n`);
  return false;
}
