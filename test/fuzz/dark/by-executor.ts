import { createClient } from "../../../src/client/client.ts";
import { executePlan } from "../../../src/executor/apply.ts";
import { apiTarget } from "../../../src/targets/api/target.ts";
import type { DarkService } from "./service.ts";
import { type Outcome, Watch } from "./trial.ts";
import { type DarkWorld, planWorld } from "./world.ts";

/**
 * Lets the executor carry out the plan of a world, steps side by side. Requests that arrive together are carried out
 * one after another, and the name service is asked after each that writes.
 * @throws {Error} when a zone fails
 */
export async function applyWorld(service: DarkService, world: DarkWorld, same?: Outcome): Promise<Outcome> {
  const stored = await service.begin(world);
  const plan = same?.plan ?? planWorld(world, stored);
  const watch = await Watch.begin(service, world, plan, same?.watch);
  let last: Promise<unknown> = Promise.resolve();
  const send = (request: Request): Promise<Response> => {
    const reply = last.then(async () => {
      const reply = await service.server(request);
      if (request.method !== "GET") {
        service.forgetZones();
        await watch.look();
      }
      return reply;
    });
    last = reply;
    return reply;
  };
  const clock = { now: () => 0, sleep: async () => {} };
  const client = createClient({ baseUrl: "http://api", token: service.token, send, ...clock });
  for await (const event of executePlan(plan, apiTarget(client), { clock, atOnce: 4 })) {
    if (event.kind === "zone-failed") throw event.error;
    if (event.kind === "zone-done" && event.left) throw new Error(`${event.zone} differs from desired`);
  }
  return watch.end([]);
}
