import { judgeServedWorlds } from "../targets/memory/served-worlds.ts";

/** `npm run fuzz -- served-worlds [count] [seed]`: worlds of `change-sets`, each state of which BIND serves. */
export async function fuzzServedWorlds(count = 2000, seed = 1): Promise<boolean> {
  const started = performance.now();
  process.stdout.write(`seeds ${seed} to ${seed + count - 1}\n`);
  const { faults, states, questions, gaps } = await judgeServedWorlds(seed, count);
  const faulty = Object.entries(faults);
  for (const [one, found] of faulty.slice(0, 5))
    process.stdout.write(`${found.join("\n")}\nTo repeat: npm run fuzz -- served-worlds 1 ${one}\n`);
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  process.stdout.write(
    `${count} worlds in ${seconds} s: ${states} states, ${questions} questions, ${gaps} names with gaps; ${faulty.length} faulty\n`,
  );
  return faulty.length === 0;
}
