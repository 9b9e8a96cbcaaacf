import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createServer as createNetServer } from "node:net";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { createSend } from "../../../src/client/send.ts";
import type { ZoneRecord } from "../../../src/dns/zone/zone.ts";
import { idOf } from "../../../src/targets/by-content.ts";
import { contentId } from "../../../src/targets/content-id.ts";
import { PowerDnsError } from "../../../src/targets/powerdns/failure.ts";
import { powerDnsTarget } from "../../../src/targets/powerdns/target.ts";
import { freePort } from "../../dns/transfer/nameservers.ts";
import { readZone } from "../../dns/transfer/zones.ts";
import { isMissing } from "../../judges.ts";
import { domainName } from "../../names.ts";
import { type ApiRelay, beforeRead, findLastLook, pass, startApiRelay } from "./api-relay.ts";
import { allowed, openDesk } from "./desk.ts";
import { apiKey, type PowerDnsServer, rrset, startPowerDns } from "./servers.ts";

const file = (address: string, more = "") => `$TTL 300
@ SOA ns1.example.net. ops.example.net. 1 3600 600 86400 60
@ NS ns1.example.net.
@ NS ns2.example.net.
www A ${address}
${more}`;

/** The talk of a command, without the start of a run. */
const shownTalk = (talk: string) => talk.replace(/^note {2}.*(?:no apply to these zones|has no lock).*\n/gm, "");

describe("a PowerDNS that cannot be called is told", () => {
  async function talkOf(url: string, settings = ""): Promise<string> {
    const desk = openDesk(url, { "zones/example.com.zone": file("192.0.2.1") }, settings);
    desk.shown.push([new URL(url).host, "HOST"]);
    const { code, out, talk } = await desk.run("plan");
    return `${out}${shownTalk(talk)}[${code}]`;
  }

  async function replying(status: number, body: string, headers: Record<string, string> = {}): Promise<string> {
    const server = createServer((_, reply) => void reply.writeHead(status, headers).end(body));
    await once(server.listen(0, "127.0.0.1"), "listening");
    onTestFinished(() => void server.close());
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  test("nothing listens", async () => {
    expect(await talkOf(`http://127.0.0.1:${await freePort()}`)).toMatchInlineSnapshot(`
      "error[transport/refused] no server listens at http://HOST
        Start PowerDNS with \`api=yes\` and \`webserver-address\` and \`webserver-port\` as in \`url\` of the target, or correct \`url\`.
      [1]"
    `);
  });

  test("the name does not resolve", async () => {
    expect(await talkOf("http://powerdns.invalid:8081")).toMatchInlineSnapshot(`
      "error[transport/dns] the name powerdns.invalid does not resolve (ENOTFOUND)
        Correct \`url\` of the target, or check the DNS settings of this machine.
      [1]"
    `);
  });

  test("a server that hangs up, as PowerDNS does without webserver-allow-from", async () => {
    const server = createNetServer((socket) => void socket.once("data", () => socket.end()));
    await once(server.listen(0, "127.0.0.1"), "listening");
    onTestFinished(() => void server.close());
    expect(await talkOf(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)).toMatchInlineSnapshot(`
      "error[transport/reset] the connection to http://HOST was lost before the reply was complete (UND_ERR_SOCKET)
        Check that \`webserver-allow-from\` of PowerDNS has the address of this machine, and its log.
      [1]"
    `);
  });

  test("plain HTTP where TLS is expected", async () => {
    const url = await replying(200, "[]");
    expect(await talkOf(url.replace("http:", "https:"))).toMatchInlineSnapshot(`
      "error[transport/tls] cannot establish TLS with https://HOST (ERR_SSL_WRONG_VERSION_NUMBER)
        If the server uses plain HTTP, start \`url\` of the target with "http://".
      [1]"
    `);
  });

  test("another program", async () => {
    const url = await replying(200, "<html>Welcome", { "content-type": "text/html" });
    expect(await talkOf(url)).toMatchInlineSnapshot(`
      "error[powerdns/reply] http://HOST: 200 with a body (text/html) that is not the API's: <html>Welcome
        Check that \`url\` of the target is the address of PowerDNS's API, such as http://127.0.0.1:8081, and any proxy in between.
      [1]"
    `);
  });

  test("another program without such a path", async () => {
    const url = await replying(404, "<html>Nothing", { "content-type": "text/html" });
    expect(await talkOf(url)).toMatchInlineSnapshot(`
      "error[powerdns/reply] http://HOST: 404 with a body (text/html) that is not the API's: <html>Nothing
        Check that \`url\` of the target is the address of PowerDNS's API, such as http://127.0.0.1:8081, and any proxy in between.
      [1]"
    `);
  });

  test("a redirect, which the key does not follow", async () => {
    const url = await replying(302, "", { location: "https://elsewhere.example/api" });
    expect(await talkOf(url)).toMatchInlineSnapshot(`
      "error[powerdns/reply] http://HOST: 302, a redirect to https://elsewhere.example/api
        Set \`url\` of the target to the address of PowerDNS itself: the key is sent to no other host.
      [1]"
    `);
  });

  test("a proxy without its PowerDNS", async () => {
    expect(await talkOf(await replying(502, "bad \u001b[31mgateway"))).toMatchInlineSnapshot(`
      "error[powerdns/failed] http://HOST: PowerDNS failed (502: bad \\x1b[31mgateway)
        Check the log of PowerDNS, its database and any proxy in between. Then run the command again.
      [1]"
    `);
  });

  test("a URL with a password", async () => {
    expect(await talkOf("http://admin:secret@127.0.0.1:8081")).toMatchInlineSnapshot(`
      "error[powerdns/url] \`url\` of the target contains a user name, a password, a query or a fragment
        Write scheme and host, such as http://HOST.
      [3]"
    `);
  });
});

describe.skipIf(isMissing("pdns_server"))("refusals of PowerDNS are told", () => {
  let server: PowerDnsServer;
  let relay: ApiRelay;
  const send = createSend();
  beforeAll(async () => {
    server = await startPowerDns();
    relay = await startApiRelay(server.apiPort);
  }, 60_000);
  afterAll(async () => {
    await send.close();
    await relay.stop();
    await server.stop();
  });

  /** A project whose zone exists, and then gets another address, and more. */
  async function edited(zone: string, more = "") {
    relay.onRequest = pass;
    const desk = openDesk(relay.url, { [`zones/${zone}.zone`]: file("192.0.2.1") });
    desk.shown.push([new URL(relay.url).host, "HOST"]);
    expect((await desk.run("apply --yes")).code).toBe(0);
    desk.write(`zones/${zone}.zone`, file("192.0.2.2", more));
    const apply = async (words = "") => {
      const { code, talk } = await desk.run(`apply --yes --allow ${allowed} ${words}`);
      return `${shownTalk(talk)}[${code}]`;
    };
    return { desk, apply };
  }

  test("a wrong key", async () => {
    const { desk } = await edited("key.example");
    desk.write("keys/pdns", "another-key-than-the-one");
    const { code, talk } = await desk.run("plan");
    expect(`${talk}[${code}]`).toMatchInlineSnapshot(`
      "error[powerdns/key] http://HOST: PowerDNS rejects the API key (401)
        Compare it with \`api-key\` of PowerDNS.
      [1]"
    `);
  });

  test("a key that no header can contain", async () => {
    const { desk } = await edited("header.example");
    desk.write("keys/pdns", "a key\u00e9\n");
    const { code, talk } = await desk.run("plan");
    expect(`${talk}[${code}]`).toMatchInlineSnapshot(`
      "error[powerdns/key] the API key contains a space, a line break or a character outside ASCII
        Replace it with the key only.
      [1]"
    `);
  });

  test("another server id", async () => {
    const desk = openDesk(server.url, { "zones/example.com.zone": file("192.0.2.1") }, ", server_id: backup");
    desk.shown.push([new URL(server.url).host, "HOST"]);
    const { code, talk } = await desk.run("plan");
    expect(`${talk}[${code}]`).toMatchInlineSnapshot(`
      "error[powerdns/server] http://HOST has no server "backup" (404)
        Check \`url\` and \`server_id\` of the target: PowerDNS calls its own server \`localhost\`.
      [1]"
    `);
  });

  test("a value that another version does not accept", async () => {
    const { apply } = await edited("types.example", "host AAAA ::ffff:192.0.2.1\n");
    relay.onRequest = async (request) => {
      const error = "Record host.types.example./AAAA '::ffff:c000:201': Invalid IPv6 address";
      if (request.method === "PATCH") request.reply({ status: 422, body: Buffer.from(JSON.stringify({ error })) });
      else await pass(request);
    };
    expect(await apply()).toMatchInlineSnapshot(`
      "types.example: 2 writes
      types.example: failed after 0 of 2 writes: types.example, http://HOST: PowerDNS rejects the request: Record host.types.example./AAAA '::ffff:c000:201': Invalid IPv6 address
      1 of 1 zone failed. Fix the error above, then run \`zonewright apply --resume --target cluster\`.
      [3]"
    `);
  });

  test("a value that PowerDNS cannot store is an error of validate", async () => {
    const { desk } = await edited(
      "values.example",
      "mail MX 10 a_b.example.net.\nsvc HTTPS 0 svc.example.net. alpn=h2\n",
    );
    const { code, out } = await desk.run("validate");
    expect([code, out.split("\n").filter((line) => line.startsWith("error"))]).toEqual([
      3,
      [
        'error[powerdns/value] mail MX: the API of PowerDNS does not accept "a_b.example.net.", which is no host name',
        "error[powerdns/value] svc HTTPS: the API of PowerDNS does not accept parameters in AliasMode (priority 0)",
      ],
    ]);
  });

  test("what a write finds missing, or there already, by id", async () => {
    const { target } = powerDnsTarget({ url: server.url, serverId: "localhost", key: apiKey, send });
    const name = domainName("ids.example.");
    const id = await target.writes.createZone({ name, settings: {} });
    const records = readZone(file("192.0.2.1"), "ids.example").records;
    for (const record of records) await target.writes.createRecord({ id, name }, record);
    const www = records.at(-1);
    if (!www) throw new Error("the zone has no records");
    const other: ZoneRecord = { ...www, owner: domainName("gone.ids.example.") };
    const attempts: Readonly<Record<string, () => Promise<unknown>>> = {
      record: () => target.writes.deleteRecord({ id, name }, contentId(other)),
      "read record": () => target.read.readRecord({ id, name }, contentId(other)),
      zone: () => target.read.readZone(idOf(domainName("none.example."))),
      exists: () => target.writes.createZone({ name, settings: {} }),
      rejected: () => target.writes.createRecord({ id, name }, { ...www, owner: domainName("a\\@b.ids.example.") }),
    };
    const told = Object.entries(attempts).map(async ([what, attempt]) => {
      const error = await attempt().catch((error: unknown) => error);
      if (!(error instanceof PowerDnsError)) throw error;
      const { id, summary } = error.problem;
      return `${what}: ${error.failure} ${id} ${summary.replace(new URL(server.url).host, "HOST")}`;
    });
    expect(await Promise.all(told)).toMatchInlineSnapshot(`
      [
        "record: gone powerdns/gone ids.example: PowerDNS does not have gone.ids.example. A 192.0.2.1 any more",
        "read record: gone powerdns/gone ids.example: PowerDNS does not have gone.ids.example. A 192.0.2.1 any more",
        "zone: gone powerdns/gone none.example: PowerDNS has no such zone any more",
        "exists: invalid powerdns/exists ids.example, http://HOST: the zone exists already",
        "rejected: invalid powerdns/rejected ids.example, http://HOST: PowerDNS rejects the request: Name 'a@b.ids.example.' contains unsupported characters",
      ]
    `);
  });

  test("a zone that is secondary", async () => {
    const { desk, apply } = await edited("secondary.example");
    await server.call("PUT", "/zones/secondary.example.", { kind: "Slave", masters: ["192.0.2.53"] });
    expect(await apply()).toMatchInlineSnapshot(`
      "error[zone-secondary] secondary.example is a secondary zone of the service, whose records come from 192.0.2.53
        zones/secondary.example.zone:2:1
          2 | @ SOA ns1.example.net. ops.example.net. 1 3600 600 86400 60
            | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
        Change it at its primary and remove this file, or make it a primary zone of the service first.
      [3]"
    `);
    expect((await desk.run("apply --yes --skip-invalid")).code).toBe(5);
  });

  test("a zone that becomes secondary after the plan is not written", async () => {
    const { desk, apply } = await edited("becomes.example");
    const path = "/zones/becomes.example.";
    const look = await findLastLook(relay, path, apply);
    desk.write("zones/becomes.example.zone", file("192.0.2.3"));
    relay.onRequest = beforeRead(path, look, () =>
      server.call("PUT", path, { kind: "Slave", masters: ["192.0.2.53"] }),
    );
    expect(await apply()).toMatchInlineSnapshot(`
      "becomes.example: 1 write
      becomes.example: failed after 0 of 1 write: becomes.example: PowerDNS has it as a zone of the kind Slave, whose records come from 192.0.2.53. Change it at its primary, or make it a Native or Primary zone in PowerDNS first.
      1 of 1 zone failed. Fix the error above, then run \`zonewright apply --resume --target cluster\`.
      [4]"
    `);
  });

  test("a zone that was signed elsewhere", async () => {
    const { apply } = await edited("presigned.example");
    const rrsig = "A 13 3 300 20300101000000 20200101000000 1 presigned.example. AAAA";
    await server.call("PATCH", "/zones/presigned.example.", {
      rrsets: [rrset("www.presigned.example.", "RRSIG", rrsig)],
    });
    expect(await apply()).toMatchInlineSnapshot(`
      "presigned.example: 1 write
      presigned.example: failed after 0 of 1 write: presigned.example: the zone was signed outside of PowerDNS, and a change would break its signatures. Change it where it is signed, or remove its RRSIG records and have PowerDNS sign it.
      1 of 1 zone failed. Fix the error above, then run \`zonewright apply --resume --target cluster\`.
      [4]"
    `);
  });

  test("NOTIFY that fails leaves the zone as written", async () => {
    const { desk, apply } = await edited("notify.example");
    await server.call("PUT", "/zones/notify.example.", { kind: "Primary" });
    relay.onRequest = async (request) => {
      if (request.path.endsWith("/notify"))
        request.reply({ status: 500, body: Buffer.from('{"error":"no \\u001b way"}') });
      else await pass(request);
    };
    expect(await apply()).toMatchInlineSnapshot(`
      "notify.example: 1 write
      notify.example: warning: the changes are made, but its secondaries are not notified: notify.example, http://HOST: PowerDNS failed (500: no \\x1b way). Check the log of PowerDNS, or run \`pdns_control notify\` for the zone. Secondaries follow at the end of its refresh time at the latest.
      notify.example: done
      [0]"
    `);
    expect((await desk.run("plan")).code).toBe(0);
  });

  test("NOTIFY is sent although rectifying failed", async () => {
    const { apply } = await edited("rectify.example");
    await server.call("PUT", "/zones/rectify.example.", { kind: "Primary", dnssec: true, api_rectify: false });
    const calls: string[] = [];
    relay.onRequest = async (request) => {
      const [call = ""] = /(?:rectify|notify)$/.exec(request.path) ?? [];
      if (call !== "") calls.push(call);
      if (call === "rectify") request.reply({ status: 500, body: Buffer.from('{"error":"busy"}') });
      else await pass(request);
    };
    expect(await apply()).toMatchInlineSnapshot(`
      "rectify.example: 1 write
      rectify.example: warning: the changes are made, but the zone may not be rectified: rectify.example, http://HOST: PowerDNS failed (500: busy). Check the log of PowerDNS. If the zone is signed, run \`pdnsutil rectify-zone\` for it.
      rectify.example: done
      [0]"
    `);
    expect(calls).toEqual(["rectify", "notify"]);
  });

  test("names of other characters are not sent", async () => {
    const { desk } = await edited("names.example", "a\\@b A 192.0.2.9\n*.w A 192.0.2.9\n0/25 NS ns1.example.net.\n");
    const { code, out, talk } = await desk.run("validate");
    expect(`${out}${talk}[${code}]`).toMatchInlineSnapshot(`
      "error[powerdns/name] a\\@b A: the API of PowerDNS does not accept this name
        zones/names.example.zone:6:1
          6 | a\\@b A 192.0.2.9
            | ^^^^^^^^^^^^^^^^
        Use only letters, digits and the characters - _ / in the name.

      warning[single-name-server] 0/25 is delegated to only one name server
        zones/names.example.zone:8:1
          8 | 0/25 NS ns1.example.net.
            | ^^^^^^^^^^^^^^^^^^^^^^^^
        A delegation needs at least two name servers (RFC 1034 §4.1, RFC 2182 §5). With one, the zone is unreachable whenever that server is down. Add a second name server in another network.

      not valid: 1 zone, 7 records, 1 error, 1 warning
      [3]"
    `);
  });
});
