import { setTimeout as delay } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { serveNames } from "../../src/server/serve-names.ts";
import { apiDesk, lines, noon } from "../cli/run.ts";
import { dig } from "../dns/transfer/dig.ts";
import { isMissing } from "../judges.ts";

const zone = (address: string) => lines`
  soa_email: hostmaster@example.com
  ttl_sec: 1h
  records:
    www: { A: ${address} }
`;
const transfers = "/account/service-transfers";

test.skipIf(isMissing("dig"))(
  "dig gets the same answers throughout a transfer amid apply, which then stops",
  async () => {
    let beforeWrite: (() => Promise<void>) | undefined;
    const desk = await apiDesk(
      { "zones/example.com.yaml": zone("192.0.2.1") },
      (server) => async (request, connection) => {
        const transfer = beforeWrite;
        if (transfer && request.method !== "GET" && request.url.includes("/domains/1")) {
          beforeWrite = undefined;
          await transfer();
        }
        return server(request, connection);
      },
    );
    expect((await desk.run("apply --yes")).code).toBe(0);
    const clock = () => new Date(noon.getTime() + desk.waited);
    const names = await serveNames({ store: desk.store, clock }, { port: 0, isAllowed: () => false });
    onTestFinished(() => names.close());
    const at = { host: "127.0.0.1", port: names.port };
    const askAll = async () =>
      (await Promise.all([dig(at, "www.example.com.", "A"), dig(at, "example.com.", "SOA")])).flat().join("\n");
    const before = await askAll();
    expect(before).toMatch(/^www\.example\.com\. 3600 IN A 192\.0\.2\.1\n/);
    const answers: string[] = [];
    const end = new AbortController();
    const asking = (async () => {
      while (!end.signal.aborted) {
        answers.push(await askAll());
        await delay(10);
      }
    })();

    const receiver = await desk.mint({ username: "receiver" });
    const env = { ZONEWRIGHT_TOKEN: receiver };
    const { token } = await desk.call("POST", transfers, { entities: { domains: [1] } });
    beforeWrite = async () => {
      expect((await desk.run(`api accept-service-transfer ${token}`, { env })).code).toBe(0);
      desk.waited += 60_000;
      expect((await desk.call("GET", `${transfers}/${token}`)).status).toBe("completed");
      answers.push(await askAll());
    };
    desk.write("zones/example.com.yaml", zone("192.0.2.2"));
    const applied = await desk.run("apply --yes");
    end.abort();
    await asking;
    expect([applied.code, applied.talk]).toEqual([
      1,
      lines`
      example.com: 1 write
      example.com: failed after 0 of 1 write: PUT /v4/domains/1/records/1: 404 Not found. The record 1 of domain 1 does not exist, or this token may not access it.
      1 of 1 zone failed. Fix the error above, then run ${"`"}zonewright apply --resume${"`"}.
    `,
    ]);
    expect(new Set(answers)).toEqual(new Set([before]));

    desk.write("zones/example.com.yaml", zone("192.0.2.1"));
    expect(await desk.run("plan", { env })).toEqual({ code: 0, out: "in sync: 1 zone, nothing to do\n", talk: "" });
  },
);
