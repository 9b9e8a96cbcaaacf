import { trial } from "../executor/trial.ts";

/** `npm run fuzz -- apply [count] [seed]`: random fault schedules, from this seed on. */
export async function fuzzApply(count = 20_000, seed = 1): Promise<boolean> {
  const started = performance.now();
  process.stdout.write(`seeds ${seed} to ${seed + count - 1}\n`);
  let requests = 0;
  let applies = 0;
  for (let next = seed; next < seed + count; next++) {
    const outcome = await trial(next).catch((error: unknown) => ({
      faults: [error instanceof Error ? (error.stack ?? error.message) : String(error)],
      requests: 0,
      applies: 0,
    }));
    requests += outcome.requests;
    applies += outcome.applies;
    if (outcome.faults.length > 0) {
      process.stdout.write(
        `seed ${next} failed:\n${outcome.faults.join("\n")}\nTo repeat: npm run fuzz -- apply 1 ${next}\n`,
      );
      return false;
    }
    if ((next - seed + 1) % 500 === 0) process.stdout.write(`${next - seed + 1} of ${count}\n`);
  }
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  process.stdout.write(`${count} schedules in ${seconds} s: ${applies} applies, ${requests} requests, no failure\n`);
  return true;
}
