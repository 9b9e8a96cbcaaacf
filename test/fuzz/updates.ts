import { trialEdits } from "../targets/rfc2136/edits.ts";
import { type Configuration, configurations } from "../updates/servers.ts";

/** `npm run fuzz -- updates [count] [seed]`: random edits of a zone on each name server. */
export async function fuzzUpdates(count = 5000, seed = 1): Promise<boolean> {
  let isWhole = true;
  for (const configuration of Object.keys(configurations) as Configuration[]) {
    const started = performance.now();
    const { faults, messages, states } = await trialEdits(configuration, count, seed);
    const seconds = ((performance.now() - started) / 1000).toFixed(1);
    for (const fault of faults) process.stdout.write(`${fault}\n`);
    process.stdout.write(
      `${configuration}: ${count} edits of seed ${seed} in ${seconds} s: ${messages} updates, ${states} zones one after the other; ${faults.length} faults\n`,
    );
    isWhole &&= faults.length === 0;
  }
  return isWhole;
}
