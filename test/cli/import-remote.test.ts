import { expect, test } from "vitest";
import type { Key } from "../../src/dns/transfer/tsig.ts";
import type { Server } from "../../src/server/http/router.ts";
import { allowAddresses } from "../../src/server/kit/allowed-networks.ts";
import { createRemote, keyFor } from "../../src/server/kit/remote.ts";
import type { Setup } from "../dns/transfer/nameservers.ts";
import { useNameServer } from "../dns/transfer/use-name-server.ts";
import { isMissing } from "../judges.ts";
import { domainName } from "../names.ts";
import { type ApiDesk, apiDesk } from "./run.ts";

const head =
  "@ 3600 IN SOA ns1.old.example. hostmaster 7 7200 3600 1209600 300\n@ 3600 IN NS ns1.old.example.\n@ 3600 IN NS ns2.old.example.\n";
const good = `${head}www 3600 IN A 192.0.2.1
short 60 IN A 192.0.2.5
text 3600 IN TXT "two" "strings"
_443._tcp.www 3600 IN TLSA 3 1 1 abcd
sub 3600 IN NS ns.sub
ns.sub 3600 IN A 192.0.2.9
`;
const key: Key = { name: domainName("transfer."), algorithm: "hmac-sha256", secret: Buffer.from("shared by two") };

/** A desk whose service transfers from a BIND with these zones, and every request that it gets. */
async function begin(setup: Setup, between: (server: Server) => Server = (server) => server) {
  const bind = await useNameServer("bind", setup);
  const requests: string[] = [];
  const isAllowed = allowAddresses([{ address: "127.0.0.0", prefix: 8 }]);
  const remote = createRemote({ isAllowed, ...(setup.keys && { keyFor: keyFor([["127.0.0.1", key]]) }) });
  const desk = await apiDesk(
    {},
    (server) => {
      const next = between(server);
      return (request, connection) => {
        const { pathname } = new URL(request.url);
        requests.push(`${request.method} ${pathname.replace("/v4", "").replace(/\d+/, "N")}`);
        return next(request, connection);
      };
    },
    { remote },
  );
  desk.shown.push([`127.0.0.1:${bind.port}`, "BIND"]);
  const command = (zones: string) => `import remote ${zones} --from 127.0.0.1:${bind.port}`;
  return { desk, requests, command };
}

const zoneFiles = (desk: ApiDesk) => Object.keys(desk.files()).filter((file) => file.startsWith("zones/"));

test.skipIf(isMissing("named"))(
  "the service transfers the zones, their files describe what it stored, and each failure is of one zone",
  async () => {
    const { desk, requests, command } = await begin({
      zones: {
        "good.example.": good,
        "bad.example.": `${head}@ 3600 IN MX 300 mail.old.example.\n`,
        "mine.example.": good,
        "last.example.": head,
      },
    });
    await desk.call("POST", "/domains", { domain: "mine.example", type: "master", soa_email: "a@example.com" });
    requests.length = 0;
    const { code, out, talk } = await desk.run(
      command("good.example bad.example mine.example none.example last.example"),
    );
    expect(`${code}\n${out}${talk}`.replaceAll("`", "'")).toMatchInlineSnapshot(`
      "5
      failed mine.example
      wrote zones/good.example.yaml: 9 records (3 exact, 2 normalised, 3 left to the service, 1 unsupported)
        normalised  short A 192.0.2.5: TTL 60 becomes 300 [ttl-rounded]
        normalised  text TXT "two" "strings": the strings are split every 255 octets [text-resplit]
        unsupported _443._tcp.www TLSA 3 1 1 ABCD: the API does not support records of this type [type-unsupported]
      failed bad.example
      failed none.example
      wrote zones/last.example.yaml: 3 records (3 left to the service)

      5 zones: 2 written, 0 unchanged, 0 kept, 3 failed
      12 records (3 exact, 2 normalised, 6 left to the service, 1 unsupported)
      normalised: stored in another form, such as with a rounded TTL
      left to the service: the service makes its own SOA record, and NS records at the apex
      unsupported: kept in the zone file, and not sent
      error[remote-exists] mine.example: the account has this domain already, so it was not imported
        Write its file with 'zonewright import api'. To import it again, delete the domain first.

      error[remote-failed] bad.example: the service did not import it from BIND: POST /v4/domains/import: 400 remote_nameserver: The zone cannot be imported: @ MX has priority 300; the limit is 255
        The service transfers zones itself, so the name server must allow its addresses, not this machine. If it can, 'zonewright import axfr' also imports zones that the service refuses. See 'zonewright help import.md'.

      error[remote-failed] none.example: the service did not import it from BIND: POST /v4/domains/import: 400 remote_nameserver: The zone transfer failed: the server is not authoritative for the zone, or rejected the TSIG key (NOTAUTH). Use a server that is authoritative for the zone; the operator of this service may have to set a key for it
        The service transfers zones itself, so the name server must allow its addresses, not this machine. If it can, 'zonewright import axfr' also imports zones that the service refuses. See 'zonewright help import.md'.
      note[import-delegated] the imported zones delegate sub.good.example, which has no zone file
        If their zones move as well, import them by name.
      "
    `);
    expect(requests.sort()).toEqual([
      "GET /domains",
      ...Array(2).fill("GET /domains/N"),
      ...Array(2).fill("GET /domains/N/records"),
      ...Array(4).fill("POST /domains/import"),
    ]);
    expect(zoneFiles(desk)).toEqual(["zones/good.example.yaml", "zones/last.example.yaml"]);
    expect(desk.read("zones/good.example.yaml").replace(/127\.0\.0\.1:\d+/, "BIND")).toMatchInlineSnapshot(`
      "# Imported by the service from BIND
      zone: good.example
      soa_email: hostmaster@good.example
      ttl_sec: 5m
      refresh_sec: 2h
      retry_sec: 1h
      expire_sec: 2w
      records:
        short:
          A:
            ttl_sec: 5m
            values: 192.0.2.5
        sub:
          NS:
            ttl_sec: 1h
            values: ns.sub
        ns.sub:
          A:
            ttl_sec: 1h
            values: 192.0.2.9
        text:
          TXT:
            ttl_sec: 1h
            values: twostrings
        www:
          A:
            ttl_sec: 1h
            values: 192.0.2.1
        _443._tcp.www:
          lenient: [type-unsupported]
          TLSA:
            ttl_sec: 1h
            values: 3 1 1 ABCD
      "
    `);
    expect((await desk.run("plan good.example last.example")).out).toMatchInlineSnapshot(`
      "1 unsupported record not sent: _443._tcp.www.good.example TLSA
      in sync: 2 zones, nothing to do
      "
    `);
  },
);

test.skipIf(isMissing("named"))(
  "where only the service may transfer the zone, it is compared by queries, and the report says so",
  async () => {
    const { desk, command } = await begin({ zones: { "good.example.": good }, keys: [key] });
    const { code, out, talk } = await desk.run(command("good.example"));
    expect(`${code}\n${out}${talk}`.replaceAll("`", "'")).toMatchInlineSnapshot(`
      "0
      wrote zones/good.example.yaml: 5 records (3 exact, 2 normalised)
        normalised  short A 192.0.2.5: TTL 60 becomes 300 [ttl-rounded]
        normalised  text TXT "two" "strings": the strings are split every 255 octets [text-resplit]

      1 zone: 1 written, 0 unchanged, 0 kept, 0 failed
      5 records (3 exact, 2 normalised)
      normalised: stored in another form, such as with a rounded TTL
      warning[remote-unseen] good.example was compared by queries, because it cannot be transferred to this machine (BIND: the server refused the request (REFUSED)): records that the service left out are not in the ledger
        Allow this machine to transfer the zone, too, then compare it with the file, or check the file by hand.
      note[import-delegated] the imported zones delegate sub.good.example, which has no zone file
        If their zones move as well, import them by name.
      "
    `);
  },
);

/** Lets imports take effect, and loses the first reply in this way. */
const losing =
  (lose: () => Response) =>
  (server: Server): Server => {
    let isLost = false;
    return async (request, connection) => {
      const reply = await server(request, connection);
      if (isLost || !request.url.endsWith("/import")) return reply;
      isLost = true;
      return lose();
    };
  };

test.skipIf(isMissing("named"))("a domain whose reply was lost is found, and not created twice", async () => {
  const { desk, requests, command } = await begin(
    { zones: { "good.example.": good } },
    losing(() => new Response("", { status: 502 })),
  );
  const { code, out } = await desk.run(command("good.example"));
  expect([code, out.match(/^wrote.*/gm), requests.filter((request) => request.startsWith("POST"))]).toEqual([
    0,
    ["wrote zones/good.example.yaml: 9 records (3 exact, 2 normalised, 3 left to the service, 1 unsupported)"],
    ["POST /domains/import"],
  ]);
});

test.skipIf(isMissing("named"))("an import that is interrupted after a request continues with its domain", async () => {
  const interruption = new AbortController();
  const { desk, requests, command } = await begin(
    { zones: { "good.example.": good, "last.example.": head } },
    losing(() => {
      interruption.abort();
      return new Response("", { status: 502 });
    }),
  );
  const first = await desk.run(`${command("good.example last.example")} --jobs 1`, { interruption });
  expect([first.code, zoneFiles(desk)]).toEqual([130, []]);
  const second = await desk.run(`${command("good.example last.example")} --jobs 1`);
  const [continued] = second.talk.split("\n");
  expect([second.code, continued, second.out.match(/^wrote [^:]*/gm)]).toEqual([
    0,
    "continuing the import of 2026-03-04T12:00:00.000Z: 0 of 2 zones are there",
    ["wrote zones/good.example.yaml", "wrote zones/last.example.yaml"],
  ]);
  expect(requests.filter((request) => request.startsWith("POST"))).toEqual(Array(2).fill("POST /domains/import"));
  // Without --restart, a finished import begins again, and finds its own domains.
  const third = await desk.run(`${command("good.example last.example")} --jobs 1`);
  expect([third.code, third.out.match(/^failed.*/gm), third.talk.match(/^error.*/gm)]).toEqual([
    1,
    ["failed good.example", "failed last.example"],
    ["error[remote-exists] good.example, last.example: the account has this domain already, so it was not imported"],
  ]);
});

test.skipIf(isMissing("named"))("records that the service lacks, or has besides, are reported", async () => {
  const interruption = new AbortController();
  const { desk, command } = await begin(
    { zones: { "good.example.": good } },
    losing(() => {
      interruption.abort();
      return new Response("", { status: 502 });
    }),
  );
  await desk.run(command("good.example"), { interruption });
  // As if the domain had been imported in part, and then changed.
  const { data: domains } = await desk.call("GET", "/domains");
  const path = `/domains/${domains[0].id}/records`;
  const { data: records } = await desk.call("GET", path);
  const www = records.find(({ name }: { name: string }) => name === "www");
  await desk.call("DELETE", `${path}/${www.id}`);
  await desk.call("POST", path, { type: "A", name: "new", target: "192.0.2.7" });
  const { code, out, talk } = await desk.run(command("good.example"));
  expect([code, out.match(/^ +lost.*/gm), talk.match(/^warning.*/gm)]).toEqual([
    0,
    ["  lost        www A 192.0.2.1: the service did not import it"],
    [
      "warning[remote-added] the service has 1 record of good.example that BIND does not have, for example new.good.example. A 192.0.2.7",
    ],
  ]);
});
