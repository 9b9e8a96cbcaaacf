import { Random } from "../../executor/random.ts";
import type { DarkWorld } from "./world.ts";

/** Aliases in a row; each that changes doubles the states that a lookup can be in, so there are more than 1,000. */
const levels = 11;

/**
 * Two rows of aliases, each of which leads to one of the next two and changes to the other one. What is at their ends
 * comes, goes, or takes another form, so the answer of every alias depends on the order of all below it.
 */
export function tangle(seed: number): DarkWorld {
  const random = new Random(seed);
  const pick = (list: readonly string[]) => list[random.below(list.length)] as string;
  const before: string[] = [];
  const after: string[] = [];
  for (let level = 0; level < levels; level++) {
    for (const row of ["a", "b"]) {
      const targets = random.below(2) === 0 ? ["a", "b"] : ["b", "a"];
      before.push(`${row}${level} CNAME ${targets[0]}${level + 1}`);
      after.push(`${row}${level} CNAME ${targets[1]}${level + 1}`);
    }
  }
  for (const row of ["a", "b"]) {
    const end = `${row}${levels}`;
    const forms = [`${end} A 192.0.2.1`, `${end} AAAA 2001:db8::1`, `${end} CNAME host.outside.test.`, ""];
    before.push(pick(forms));
    after.push(pick(forms));
  }
  const lines = (side: readonly string[]) => ["@ A 192.0.2.9", ...side].filter((line) => line !== "");
  const zone = { name: "example.com.", before: { lines: lines(before) }, after: { lines: lines(after) } };
  return { title: `tangle ${seed}`, zones: [zone] };
}
