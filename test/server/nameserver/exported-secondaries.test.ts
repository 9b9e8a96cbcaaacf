import { setTimeout as wait } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import type { Key } from "../../../src/dns/transfer/tsig.ts";
import { ask, askSoa } from "../../../src/dns-client/ask.ts";
import type { ServerAddress } from "../../../src/dns-client/server-address.ts";
import { type SecondaryForm, secondariesText } from "../../../src/formats/server-config/secondaries.ts";
import { listenDns } from "../../../src/server/nameserver/listen.ts";
import { startNotifier } from "../../../src/server/nameserver/notifier.ts";
import { StoredZones } from "../../../src/server/nameserver/zones/stored-zones.ts";
import { readServerSettings } from "../../../src/server/server.ts";
import { binaries, freePort, type Program, programs } from "../../dns/transfer/nameservers.ts";
import { useNameServer } from "../../dns/transfer/use-name-server.ts";
import { linesOf } from "../../dns/transfer/zones.ts";
import { isMissing } from "../../judges.ts";
import { domainName } from "../../names.ts";
import { start } from "../start.ts";
import { waitForCurrent } from "./wait-for-current.ts";

const host = "127.0.0.1";
const names = ["example.com.", "0/25.2.0.192.in-addr.arpa."].map(domainName);
const key: Key = {
  name: domainName("transfer."),
  algorithm: "hmac-sha256",
  secret: Buffer.from("shared by two servers"),
};
const secret = Buffer.from(key.secret).toString("base64");

const forms: Readonly<Record<Program, SecondaryForm>> = { bind: "named.conf", knot: "knot.conf", nsd: "nsd.conf" };

/** The configuration of an operator, in front of the exported list. */
const operators: Readonly<Record<Program, (folder: string, port: number) => string>> = {
  bind: (folder, port) => `options {
  directory "${folder}"; pid-file none; session-keyfile none; lock-file none;
  listen-on port ${port} { ${host}; }; listen-on-v6 { none; }; recursion no; notify no;
};
controls {};
key "transfer" { algorithm hmac-sha256; secret "${secret}"; };
`,
  knot: (folder, port) => `server:
    rundir: "${folder}"
    listen: ${host}@${port}
control:
    listen: "${folder}/knot.sock"
database:
    storage: "${folder}"
key:
  - id: transfer
    algorithm: hmac-sha256
    secret: "${secret}"
template:
  - id: default
    storage: "${folder}"
`,
  nsd: (folder, port) => `server:
  ip-address: ${host}@${port}
  username: ""
  zonesdir: "${folder}"
  database: ""
  pidfile: "${folder}/nsd.pid"
  xfrdfile: "${folder}/xfrd.state"
  zonelistfile: "${folder}/zone.list"
  xfrdir: "${folder}"
  server-count: 1
remote-control:
  control-enable: no
key:
  name: transfer
  algorithm: hmac-sha256
  secret: "${secret}"
`,
};

/** Starts a secondary from the exported list, until it answers for its zones. */
async function startSecondary(program: Program, primary: ServerAddress, port: number, tsigName?: string) {
  const primaries = [{ address: primary.host, port: primary.port }];
  const text = secondariesText(forms[program], { zones: names, primaries, key: tsigName });
  const config = (folder: string) => operators[program](folder, port) + text;
  const running = await useNameServer(program, { zones: {}, port, config, secondary: { primary, zones: names } });
  return running;
}

/** Asks until there is an answer: while NSD reloads, its old process may still reply without the zone. */
async function addressOf(server: ServerAddress, name: string): Promise<string[]> {
  for (;;) {
    const { answers } = await ask(server, { question: { name: domainName(name), type: "A", class: 1 } });
    if (answers.length > 0) return linesOf(answers).filter((line) => line !== "");
    await wait(10);
  }
}

for (const program of programs) {
  test.skipIf(isMissing(binaries[program]))(
    `${program} with the exported list transfers from the service, and again after a NOTIFY`,
    async () => {
      const api = await start({ nameservers: ["ns1.example.net"] });
      const settings = { store: api.store, clock: () => api.clock.now, nameservers: ["ns1.example.net"] };
      const zones = new StoredZones(readServerSettings(settings), settings.clock, { waitForCurrent });
      const onError = (error: unknown) => expect.fail(String(error));
      const service = await listenDns({ host, port: 0, zones, onError });
      onTestFinished(() => service.close());
      const at = { host, port: service.port };
      for (const [index, name] of names.entries()) {
        const id = await api.domain(name.slice(0, -1), [{ type: "A", name: "www", target: `192.0.2.${index}` }]);
        await api.call("PUT", `/domains/${id}`, { axfr_ips: [host] });
      }
      const port = await freePort();
      const soon = (signal: AbortSignal) => wait(10, undefined, { signal });
      const notifier = startNotifier({ zones, port, wait: soon, onError });
      onTestFinished(() => notifier.close());
      const secondary = await startSecondary(program, at, port);
      expect(await addressOf(secondary, `www.${names[0]}`)).toEqual(["www.example.com. 86400 IN A 192.0.2.0"]);
      expect(await addressOf(secondary, `www.${names[1]}`)).toEqual([`www.${names[1]} 86400 IN A 192.0.2.1`]);
      await api.call("POST", "/domains/1/records", { type: "A", name: "new", target: "192.0.2.2" });
      const { data } = await askSoa(at, domainName("example.com."));
      while ((await askSoa(secondary, domainName("example.com."))).data.serial !== data.serial) await wait(10);
      expect(await addressOf(secondary, "new.example.com.")).toEqual(["new.example.com. 86400 IN A 192.0.2.2"]);
    },
  );

  test.skipIf(isMissing(binaries[program], "knotd"))(
    `${program} with the exported list signs with the operator's key`,
    async () => {
      const text = "@ 300 IN SOA ns1.example.net. h 1 7200 3600 1209600 60\n@ 300 IN NS ns1.example.net.\n";
      const zones = Object.fromEntries(names.map((name) => [name, `${text}www 300 IN A 192.0.2.1\n`]));
      const primary = await useNameServer("knot", { zones, keys: [key] });
      const secondary = await startSecondary(program, primary, await freePort(), "transfer");
      expect(await addressOf(secondary, "www.example.com.")).toEqual(["www.example.com. 300 IN A 192.0.2.1"]);
    },
  );
}
