import { judgeWorld, killWorld, overtakeWorld } from "../targets/memory/world-trial.ts";

/** Every so many worlds are also killed at each line of the journal, and edited before each message. */
const slowEvery = 10;

/** `npm run fuzz -- change-sets [count] [seed]`: worlds on a service in memory with change sets, from this seed on. */
export async function fuzzChangeSets(count = 5000, seed = 1): Promise<boolean> {
  const started = performance.now();
  process.stdout.write(`seeds ${seed} to ${seed + count - 1}\n`);
  const sum = { sets: 0, gaps: 0, kills: 0, edits: 0, faulty: 0 };
  const report = (next: number, faults: readonly string[]) => {
    if (faults.length === 0) return;
    sum.faulty++;
    if (sum.faulty > 5) return;
    process.stdout.write(`${faults.join("\n")}\nTo repeat: npm run fuzz -- change-sets 1 ${next}\n`);
  };
  for (let next = seed; next < seed + count; next++) {
    const { faults, trials, gaps } = await judgeWorld(next);
    sum.sets += trials;
    sum.gaps += gaps;
    report(next, faults);
    if (next % slowEvery > 0 && count > 1) continue;
    const [killed, overtaken] = [await killWorld(next), await overtakeWorld(next)];
    sum.kills += killed.trials;
    sum.edits += overtaken.trials;
    report(next, [...killed.faults, ...overtaken.faults]);
  }
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  process.stdout.write(
    `${count} worlds in ${seconds} s: ${sum.sets} change sets, ${sum.gaps} gaps, ${sum.kills} kills, ${sum.edits} edits by another client; ${sum.faulty} faulty\n`,
  );
  return sum.faulty === 0;
}
