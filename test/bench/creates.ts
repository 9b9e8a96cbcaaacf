import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Case, ms, ratio } from "./case.ts";
import { median } from "./median.ts";
import { type Call, send, startServer } from "./serve.ts";

/** Creates at one name: their time where the name has none, and where it has 10,000, as a ratio. */
export async function* run(): AsyncGenerator<Case> {
  const folder = mkdtempSync(join(tmpdir(), "zonewright-bench-"));
  const server = await startServer(join(folder, "zonewright.db"));
  try {
    for (const index of [0, 1]) {
      const domain = { domain: `creates${index}.example`, type: "master", soa_email: "a@b.example" };
      await send(server.pool, { method: "POST", path: "/v4/domains", body: () => domain });
    }
    // Both domains have as many records: in one they have a name each, in the other they share one.
    for (let n = 0; n < 10_000; n += 100)
      await Promise.all(
        Array.from({ length: 100 }, async (_, step) => {
          await send(server.pool, create(1, `h${n + step}`), n + step);
          await send(server.pool, create(2, "www"), n + step);
        }),
      );
    const times: [number[], number[]] = [[], []];
    for (let round = 0; round < 400; round++) {
      const started = performance.now();
      await send(server.pool, round % 2 === 0 ? create(1, `new${round}`) : create(2, "www"), round);
      times[round % 2]?.push(performance.now() - started);
    }
    const [none, many] = times;
    yield { name: "create at a name of no record", numbers: { time: ms(median(none)) } };
    yield {
      name: "create at a name of 10,000 records",
      numbers: { time: ms(median(many)) },
      ratios: { time: ratio(many, none, { to: "at a name of no record", better: "lower" }) },
    };
  } finally {
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

function create(domain: number, name: string): Call {
  const body = (n: number) => ({ type: "A", name, target: `192.0.2.${n % 256}` });
  return { method: "POST", path: `/v4/domains/${domain}/records`, body };
}
