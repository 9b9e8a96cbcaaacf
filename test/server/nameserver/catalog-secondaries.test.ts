// @suite long
import { test } from "vitest";
import { askSoa } from "../../../src/dns-client/ask.ts";
import { apiOf, Program } from "../../cli/process.ts";
import { Desk } from "../../cli/run.ts";
import { type ConsumerName, consumers, startConsumer, untilServes } from "../../dns/transfer/catalog-consumers.ts";
import { freePort } from "../../dns/transfer/nameservers.ts";
import { isMissing } from "../../judges.ts";
import { domainName } from "../../names.ts";

const host = "127.0.0.1";

test.skipIf(isMissing("named", "knotd", "pdns_server", "pdns-backend-sqlite3"))(
  "BIND, Knot and PowerDNS follow the zones of the server by its catalog",
  async () => {
    const [port, ...ports] = await Promise.all([freePort(), freePort(), freePort(), freePort()]);
    const flags = [
      `--dns ${host}:${port} --dns-catalog catalog.example --nameserver ns1.example.net`,
      ...ports.map((one) => `--secondary ${host}:${one}`),
    ];
    const program = new Program(new Desk().folder, `serve --port 0 --ephemeral ${flags.join(" ")}`, {
      ZONEWRIGHT_SERVE_TOKEN: "secret-for-tests",
    });
    const { call } = await apiOf(program);
    await program.says(/names are answered on/);
    const create = async (domain: string) => {
      const { body } = await call("POST", "/domains", { domain, type: "master", soa_email: "hostmaster@example.com" });
      const { id } = body as { id: number };
      await call("POST", `/domains/${id}/records`, { type: "A", name: "www", target: "192.0.2.1" });
      return id;
    };
    const first = await create("example.com");
    const secondaries = (Object.keys(consumers) as ConsumerName[]).map((name, index) =>
      startConsumer(name, { port: ports[index] ?? 0, primary: port, catalog: "catalog.example" }),
    );
    const names = ["example.com", "example.net", "ip.nodes.invalid"];
    const check = async (members: readonly string[]) => {
      const serials = members.map(async (name) => {
        const { data } = await askSoa({ host, port }, domainName(`${name}.`));
        return [name, data.serial] as const;
      });
      const wanted = Object.fromEntries(await Promise.all(serials));
      await Promise.all(secondaries.map((one) => untilServes(one, names, wanted)));
    };
    await check(["example.com", "ip.nodes.invalid"]);
    await create("example.net");
    await check(names);
    await call("DELETE", `/domains/${first}`);
    await check(["example.net", "ip.nodes.invalid"]);
    program.kill("SIGINT");
    await program.end();
  },
  120_000,
);
