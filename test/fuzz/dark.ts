import { generate } from "./dark/generate.ts";
import { type Judged, judge, type Kind } from "./dark/judge.ts";
import { DarkService } from "./dark/service.ts";
import { shrink } from "./dark/shrink.ts";
import type { DarkWorld } from "./dark/world.ts";

/** Worlds per service, whose store grows with each. */
const worldsOfService = 200;

/** `npm run fuzz -- dark [count] [seed]`: worlds from this seed on, checked by querying the name service. */
export async function fuzzDark(count = 5000, seed = 1): Promise<boolean> {
  const started = performance.now();
  process.stdout.write(`seeds ${seed} to ${seed + count - 1}\n`);
  const sum = { writes: 0, gaps: 0, allOrders: 0, held: 0, questions: 0 };
  const findings = new Map<Kind, number>();
  let service = await DarkService.open();
  for (let next = seed; next < seed + count; next++) {
    const world = generate(next);
    const judged = await judge(service, world, {
      seed: next,
      orders: next % 4 === 0 ? 3 : 1,
      isApplied: next % 4 === 1,
    });
    sum.writes += judged.writes;
    sum.gaps += judged.gaps;
    sum.allOrders += judged.hasAllOrders ? 1 : 0;
    sum.held += judged.isBlocked ? 1 : 0;
    for (const { kind } of judged.findings) {
      findings.set(kind, (findings.get(kind) ?? 0) + 1);
      if ((findings.get(kind) ?? 0) <= 3) process.stdout.write(await report(service, world, next, kind));
    }
    if ((next - seed + 1) % worldsOfService > 0) continue;
    sum.questions += service.asker.asked;
    await service.close();
    service = await DarkService.open();
    process.stdout.write(`${next - seed + 1} of ${count}: ${tally(findings)}\n`);
  }
  sum.questions += service.asker.asked;
  await service.close();
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  process.stdout.write(
    `${count} worlds in ${seconds} s: ${sum.writes} writes, ${sum.questions} queries, ${sum.gaps} gaps in the order of the ids, ${sum.allOrders} worlds in all orders, ${sum.held} blocked by guards; ${tally(findings)}\n`,
  );
  return findings.size === 0;
}

/** The smallest world with the same kind of finding, as a page. */
async function report(service: DarkService, world: DarkWorld, seed: number, kind: Kind): Promise<string> {
  const find = ({ findings }: Judged) => findings.find((one) => one.kind === kind);
  const options = { seed, orders: 6, isApplied: true, kind };
  const small = await shrink(world, async (one) => find(await judge(service, one, options)) !== undefined);
  const page =
    find(await judge(service, small, options))?.page ?? find(await judge(service, world, options))?.page ?? "";
  return `---\n${page}To repeat: npm run fuzz -- dark 1 ${seed}\n`;
}

function tally(findings: ReadonlyMap<Kind, number>): string {
  return findings.size === 0 ? "no finding" : [...findings].map(([kind, times]) => `${kind} ${times}`).join(", ");
}
