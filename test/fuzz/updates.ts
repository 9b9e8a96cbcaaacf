import { trialApiEdits } from "../targets/powerdns/edits.ts";
import { configurations as apiConfigurations } from "../targets/powerdns/servers.ts";
import { trialEdits } from "../targets/rfc2136/edits.ts";
import { type Configuration, configurations } from "../updates/servers.ts";

/** `npm run fuzz -- updates [count] [seed]`: random edits of a zone on each name server. */
export async function fuzzUpdates(count = 5000, seed = 1): Promise<boolean> {
  let isWhole = true;
  const trials = [
    ...(Object.keys(configurations) as Configuration[]).map(
      (configuration) => [configuration, () => trialEdits(configuration, count, seed)] as const,
    ),
    ...apiConfigurations.map(
      (form) => [`the API of PowerDNS, ${form}`, () => trialApiEdits(form, count, seed)] as const,
    ),
  ];
  for (const [configuration, trial] of trials) {
    const started = performance.now();
    const { faults, messages, states } = await trial();
    const seconds = ((performance.now() - started) / 1000).toFixed(1);
    for (const fault of faults) process.stdout.write(`${fault}\n`);
    process.stdout.write(
      `${configuration}: ${count} edits of seed ${seed} in ${seconds} s: ${messages} updates, ${states} zones one after the other; ${faults.length} faults\n`,
    );
    isWhole &&= faults.length === 0;
  }
  return isWhole;
}
