import { buildProduct } from "../../packaging/program.ts";
import { Killing } from "../executor/killing.ts";

/** `npm run fuzz -- kill [from] [step]`: kills an apply at each line of its journal, until it ends before the kill. */
export async function fuzzKill(from = 1, step = 1): Promise<boolean> {
  await buildProduct("dist/cli");
  const killing = new Killing();
  await killing.start();
  try {
    let killed = 0;
    for (let line = from; ; line += step) {
      const { lines, faults } = await killing.at(line);
      if (faults.length > 0) {
        process.stdout.write(`killed at line ${line} (stopped at ${lines}):\n${faults.join("\n")}\n`);
        return false;
      }
      if (lines === undefined) break;
      killed++;
      if (killed % 50 === 0) process.stdout.write(`${killed} kills, the last at line ${lines}\n`);
    }
    process.stdout.write(`killed ${killed} times, no failure\n`);
    return true;
  } finally {
    await killing.stop();
  }
}
