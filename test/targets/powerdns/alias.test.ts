// @suite long
import { describe, expect, onTestFinished, test } from "vitest";
import { startNameServer } from "../../dns/transfer/nameservers.ts";
import { dig } from "../../dns/transfer/dig.ts";
import { type Behaviour, startResolver } from "../../dns-client/fake-resolver.ts";
import { isMissing } from "../../judges.ts";
import { startApiRelay } from "./api-relay.ts";
import { openDesk } from "./desk.ts";
import { type PowerDnsServer, rrset, signZone, startPowerDns } from "./servers.ts";

const apex = `$TTL 300
@ SOA ns1.example.net. ops.example.net. 1 3600 600 86400 60
@ NS ns1.example.net.
@ NS ns2.example.net.
`;

/** What the resolver of PowerDNS has. */
const world: Readonly<Record<string, Behaviour>> = {
  "www.example.net. A": { answer: ["www.example.net. 120 A 192.0.2.1"] },
  "www.example.net. AAAA": { answer: ["www.example.net. 120 AAAA 2001:db8::1"] },
  "v4.example.net. A": { answer: ["v4.example.net. 120 A 192.0.2.4"] },
  "v4.example.net. AAAA": {},
};

/** A PowerDNS with these settings, which a resolver of this test serves if they are those of one that looks ALIAS up. */
async function serve(settings: Readonly<Record<string, string>> = {}, looksUp = true): Promise<PowerDnsServer> {
  const { at } = await startResolver((question) => world[question.toLowerCase().replace(/ (a+)$/, (type) => type.toUpperCase())]);
  const own = looksUp ? { "expand-alias": "yes", resolver: `${at.host}:${at.port}` } : {};
  const server = await startPowerDns({ ...own, ...settings });
  onTestFinished(server.stop);
  return server;
}

function project(url: string, records: string, more = "") {
  const file = "zones/example.com.zone";
  const desk = openDesk(url, { [file]: apex + records + more });
  const edit = (text: string) => desk.write(file, apex + text + more);
  return { desk, file, edit };
}

const asked = ({ port }: PowerDnsServer, name: string, type: string) => dig({ host: "127.0.0.1", port }, name, type);

const stored = async (server: PowerDnsServer) => {
  const { rrsets } = (await server.call("GET", "/zones/example.com.")) as {
    rrsets: { name: string; type: string; ttl: number; records: { content: string; disabled: boolean }[]; comments: { content: string }[] }[];
  };
  return rrsets
    .filter(({ type }) => type === "ALIAS" || type === "A")
    .flatMap(({ name, type, ttl, records, comments }) =>
      records.map(({ content, disabled }) =>
        [name, ttl, type, content, ...(disabled ? ["disabled"] : []), ...comments.map((one) => `; ${one.content}`)].join(" "),
      ),
    )
    .sort();
};

const plain = (text: string) => text.replaceAll(/^note .*no lock.*\n/gm, "").replaceAll(/effects \w+/g, "effects …");

describe.skipIf(isMissing("pdns_server", "dig"))("ALIAS", () => {
  test("scratch", async () => {
    const server = await serve();
    const { desk, edit } = project(server.url, "@ ALIAS www.example.net.\nshop 60 ALIAS WWW.Example.NET.\nv4 ALIAS v4.example.net.\nold A 192.0.2.9\n");
    console.log(await desk.run("apply --yes"));
    console.log(await stored(server), await asked(server, "example.com.", "A"), await asked(server, "example.com.", "AAAA"), await asked(server, "shop.example.com.", "A"));
    console.log(plain((await desk.run("plan --detailed-exitcode")).out));
    await server.call("PATCH", "/zones/example.com.", { rrsets: [{ ...rrset("shop.example.com.", "ALIAS", "v4.example.net."), comments: [{ content: "asked by sales", account: "" }] }] });
    console.log((await desk.run("drift")));
    edit("@ ALIAS www.example.net.\nshop 60 ALIAS www.example.net.\nv4 A 192.0.2.44\nold ALIAS www.example.net.\n");
    console.log(await desk.run("apply --yes"));
    console.log(await stored(server));
    console.log(await desk.run("undo last --yes"));
    console.log(await stored(server));
    console.log(await desk.run("verify"), await desk.run("doctor --no-ci"));
  }, 60_000);
  test("scratch2", async () => {
    const server = await serve({ primary: "yes" }, false);
    const { desk, edit } = project(server.url, "@ ALIAS www.example.net.\nshop 60 ALIAS WWW.Example.NET.\n*.w ALIAS v4.example.net.\nshop ALIAS v4.example.net.\n", ";@ kind: Primary\n");
    console.log(await desk.run("plan"));
    console.log(await desk.run("apply --yes"));
    console.log(await desk.run("apply --yes --allow G36,G09"));
    console.log(await desk.run("plan"), await desk.run("doctor"));
  }, 60_000);
});
