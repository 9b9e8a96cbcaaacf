import { expect, test } from "vitest";
import { apiDesk } from "./run.ts";

const zone = `soa_email: hostmaster@example.com
records:
  "@": { MX: 10 mail }
  mail: { A: 192.0.2.25 }
  www: { A: [192.0.2.1, 192.0.2.2] }
`;

/** The requests of main jobs of a project, with their bodies, as they were before projects could have targets. */
test("a project without targets sends these requests, in this order", async () => {
  const sent: string[] = [];
  const desk = await apiDesk({ "zones/example.com.yaml": zone }, (server) => async (request, connection) => {
    const { pathname, search } = new URL(request.url);
    const filter = request.headers.get("x-filter");
    const body = request.method === "GET" ? "" : await request.clone().text();
    sent.push([request.method, pathname + search, filter && `filter ${filter}`, body].filter(Boolean).join(" "));
    return server(request, connection);
  });
  const log: string[] = [];
  const run = async (command: string) => {
    desk.now = new Date(desk.now.getTime() + 1000); // The id of a run begins with its time: `undo last` needs it.
    const { code } = await desk.run(command);
    log.push(`$ zonewright ${command} (${code})`, ...sent.splice(0));
  };
  await run("validate");
  await run("plan");
  await run("apply --yes");
  await run("plan");
  // Each of these changes needs the one before, so that their order is fixed.
  desk.write("zones/example.com.yaml", zone.replace("  mail:", "  smtp:").replace("10 mail", "10 smtp"));
  await run("plan --out plan.json");
  await run("apply plan.json --yes --allow G05");
  await run("snapshot --out live.json");
  await run("plan --against live.json");
  await run("drift");
  await run("runs");
  await run("verify");
  await run("undo last --yes --allow G05");
  await run("drift");
  await run("doctor");
  await expect(`${log.join("\n")}\n`).toMatchFileSnapshot("../cases/requests.txt");
});
