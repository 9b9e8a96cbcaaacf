// @suite long
import { createSocket } from "node:dgram";
import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { describe, expect, onTestFinished, test } from "vitest";
import { ProblemError } from "../../../src/diagnostics/problem.ts";
import { rcode } from "../../../src/dns/transfer/codes.ts";
import { writeMessage } from "../../../src/dns/transfer/message-writer.ts";
import { sign } from "../../../src/dns/transfer/tsig.ts";
import type { ServerAddress } from "../../../src/dns-client/server-address.ts";
import { dig } from "../../dns/transfer/dig.ts";
import { proxy } from "../../dns/transfer/fake-server.ts";
import { freePort, startNameServer } from "../../dns/transfer/nameservers.ts";
import { isMissing } from "../../judges.ts";
import { powerDns, startUpdateServer, zoneText } from "../../updates/servers.ts";
import { newFolder } from "../conformance.ts";
import { openDesk, updateKey } from "./desk.ts";
import { errorDesk, keylessDesk, keyText, sectionOf, stored, zone } from "./error-desk.ts";
import {
  startBind,
  startForbidding,
  startForwarder,
  startKnot,
  startOwn,
  startPolicy,
  startViews,
} from "./error-servers.ts";
import { nsupdate } from "./nsupdate.ts";
import { type Passing, startUpdateRelay } from "./update-relay.ts";

const hour = 3_600_000;
const isSkipped = isMissing("named", "knotd", "pdns_server", "dig", "nsupdate");

async function startServer(...options: Parameters<typeof startUpdateServer>) {
  const server = await startUpdateServer(...options);
  onTestFinished(server.stop);
  await server.untilServed(zone);
  return { host: "127.0.0.1", port: server.port };
}

const textOf = ({ host, port }: { readonly host: string; readonly port: number }) => `${host}:${port}`;

const titleWords = (title: string) => title.toLowerCase().replaceAll(/[^a-z]+/g, "-");

const pageOf = (sections: readonly string[], name: string) =>
  expect(sections.join("\n")).toMatchFileSnapshot(`../../cases/update-errors/${name}.txt`);

describe.skipIf(isSkipped)("a wrong key", () => {
  const wrong = {
    "another name": keyText({ name: "other." }),
    "another secret": keyText({ secret: Buffer.from("another secret").toString("base64") }),
    "another algorithm": keyText({ algorithm: "hmac-sha512" }),
  };

  test.each(["BIND", "Knot", "PowerDNS"] as const)("%s", async (configuration) => {
    const at = textOf(await startServer(configuration, 1));
    const sections: string[] = [];
    for (const [title, text] of Object.entries(wrong))
      sections.push(await sectionOf(title, errorDesk(at, { key: text })));
    const late = errorDesk(at);
    late.now = new Date(Date.now() - hour);
    sections.push(await sectionOf("a clock that is an hour late", late));
    const early = errorDesk(at);
    early.now = new Date(Date.now() + hour);
    sections.push(await sectionOf("a clock that is an hour early", early, ["plan"]));
    sections.push(await sectionOf("no key", keylessDesk(at)));
    await pageOf(sections, `keys-${configuration}`);
  });
});

describe.skipIf(isSkipped)("a server without the zone", () => {
  test("absent, another view, not loaded, a secondary", async () => {
    const sections: string[] = [];
    for (const configuration of ["BIND", "Knot", "PowerDNS"] as const) {
      const desk = errorDesk(textOf(await startServer(configuration, 1)));
      desk.write("zones/z09.example.zone", "$TTL 300\n@ NS ns1.example.net.\nwww A 192.0.2.1\n");
      sections.push(await sectionOf(`${configuration}: a zone that it does not have`, desk));
    }
    const views = textOf(await startViews());
    const desk = errorDesk(views);
    sections.push(await sectionOf("BIND: the right view", desk, ["apply --yes"]));
    for (const name of ["other.", "empty.", "stranger."]) {
      desk.write("keys/office", keyText({ name }));
      sections.push(await sectionOf(`BIND: the key of the view ${name}`, desk));
    }
    const unloaded = await startBind("max-zone-ttl 60;");
    sections.push(await sectionOf("BIND: a zone that it has not loaded", errorDesk(textOf(unloaded))));
    const primary = await startNameServer("bind", { zones: { [zone]: zoneText(zone) }, keys: [] });
    onTestFinished(primary.stop);
    for (const [program, name] of [
      ["bind", "BIND"],
      ["knot", "Knot"],
      ["nsd", "NSD"],
    ] as const) {
      const secondary = await startNameServer(program, {
        zones: {},
        keys: [updateKey],
        secondary: { primary, zones: [zone] },
      });
      onTestFinished(secondary.stop);
      sections.push(await sectionOf(`${name}: a secondary`, errorDesk(textOf(secondary))));
    }
    const updatable = await startBind("allow-transfer { any; };", `allow-update { key "${updateKey.name}"; };`);
    const forwarder = errorDesk(textOf(await startForwarder(updatable)));
    sections.push(await sectionOf("Knot: a secondary that forwards updates", forwarder));
    await pageOf(sections, "zones");
  });
});

describe.skipIf(isSkipped)("a server that refuses", () => {
  test("transfers, updates, queries", async () => {
    const update = `allow-update { key "${updateKey.name}"; };`;
    const servers = {
      "BIND: no transfer": () => startBind(update, "allow-transfer { none; };"),
      "Knot: no transfer": () => startKnot(["action: update"]),
      "PowerDNS: no transfer": () => startServer(powerDns({ refuses: "transfers" }), 1),
      "BIND: no update": () => startBind("allow-transfer { any; };"),
      "BIND: `update-policy` without a grant": () => startPolicy("grant other. zonesub ANY;"),
      "Knot: no update": () => startKnot(["action: transfer"]),
      "PowerDNS: no update": () => startServer(powerDns({ refuses: "updates" }), 1),
      "BIND: no query": () => startBind(update, "allow-transfer { any; };", "allow-query { none; };"),
      "BIND: no query and no transfer": () => startBind(update, "allow-transfer { none; };", "allow-query { none; };"),
    };
    const sections: string[] = [];
    for (const [title, start] of Object.entries(servers))
      sections.push(await sectionOf(title, errorDesk(textOf(await start()))));
    const policies = {
      "the apex": `grant ${updateKey.name} name ${zone} ANY;`,
      "the names below the apex": `grant ${updateKey.name} wildcard *.${zone} ANY;`,
      "all names": `grant ${updateKey.name} zonesub ANY;`,
    };
    for (const [names, policy] of Object.entries(policies)) {
      const title = `BIND: \`update-policy\` for ${names}`;
      sections.push(await sectionOf(title, errorDesk(textOf(await startPolicy(policy))), ["doctor"]));
    }
    const strict = textOf(await startBind("allow-transfer { any; };", update));
    const noHost = errorDesk(strict, { records: `${stored}a\\.b A 192.0.2.40\n` });
    sections.push(await sectionOf("BIND: an address at a name that is no host name", noHost, ["apply --yes"]));
    const own = keylessDesk(textOf(await startOwn()));
    sections.push(await sectionOf("zonewright serve: no update", own, ["apply --yes --allow G04", "doctor"]));
    await pageOf(sections, "permissions");
  });

  /** The lines of the new records that a server has. */
  const added = async (server: ServerAddress) =>
    (await dig(server, zone, "AXFR", { key: updateKey })).filter((line) => line.includes(" 192.0.2.40"));

  test("one name of ten", async () => {
    const names = Array.from({ length: 9 }, (_, index) => `n${index}`);
    const servers = {
      BIND: await startForbidding(),
      Knot: await startKnot(
        ["action: transfer"],
        [
          "action: update",
          "update-owner: name",
          "update-owner-match: equal",
          `update-owner-name: [${names.join(", ")}]`,
        ],
      ),
    };
    const sections: string[] = [];
    const records = `${stored}${[...names, "z"].map((one) => `${one} A 192.0.2.40\n`).join("")}`;
    for (const [title, server] of Object.entries(servers)) {
      const desk = errorDesk(textOf(server), { records });
      sections.push(await sectionOf(`${title}: one name of ten is forbidden`, desk, ["apply --yes"]));
      expect(await added(server)).toEqual([]);
    }
    await pageOf(sections, "policy");
  });

  test("one name of an update in two parts", async () => {
    const server = await startForbidding();
    const names = Array.from({ length: 2_000 }, (_, index) => `n${index}`);
    const records = `${stored}${[...names, "z"].map((one) => `${one} A 192.0.2.40\n`).join("")}`;
    const desk = errorDesk(textOf(server), { records });
    const first = await sectionOf("the last name of two parts is forbidden", desk, ["apply --yes --allow G33"]);
    const { length } = await added(server);
    const kept = `# stored\n${length} of the new records\n`;
    desk.write("zones/z01.example.zone", records.replace(/^z .*\n/m, ""));
    const second = await sectionOf("without that name", desk, ["apply --resume --yes --allow G33"]);
    await pageOf([first, kept, second], "policy-parts");
  });
});

describe.skipIf(isSkipped)("doctor", () => {
  const start = async () => {
    const server = await startBind("allow-transfer { any; };", `allow-update { key "${updateKey.name}"; };`);
    const relay = await startUpdateRelay(server);
    onTestFinished(() => relay.stop());
    return { server, relay };
  };
  const isAboutSerial = ({ message: { answers, authorities } }: Passing) =>
    authorities.length === 0 && answers.some(({ type }) => type === "SOA");

  test.each([
    [1, ""],
    [2, "; the serial cannot be compared, because the served one is another"],
  ])("another client edits the zone before the question for its serial, %i times", async (times, said) => {
    const { server, relay } = await start();
    let edits = 0;
    relay.onUpdate = async (update) => {
      if (isAboutSerial(update) && edits < times)
        await nsupdate(server, zone, [`update add edit${++edits}.ZONE A 192.0.2.40`]);
      update.reply(await update.forward());
    };
    expect(await sectionOf("edits", errorDesk(textOf(relay)), ["doctor"])).toContain(
      `ok    updates      accepted, signed with the key updates (hmac-sha256)${said}\n`,
    );
    expect(edits).toBe(times);
  });

  test("changes nothing", async () => {
    const { server } = await start();
    const before = await dig(server, zone, "AXFR", { key: updateKey });
    await sectionOf("nothing", errorDesk(textOf(server)), ["doctor"]);
    expect(await dig(server, zone, "AXFR", { key: updateKey })).toEqual(before);
  });

  test.each([
    ["permission", 1],
    ["serial", 2],
  ])("an abort while it waits for the reply about the %s", async (_, asked) => {
    const { relay } = await start();
    const abort = new AbortController();
    let updates = 0;
    relay.onUpdate = async ({ forward, reply }) => {
      if (++updates === asked) abort.abort();
      else reply(await forward());
    };
    const { target } = openDesk(newFolder(), relay, zone);
    const heads = await target.read.listZones();
    await expect(target.read.examine?.(heads, { signal: abort.signal })).rejects.toThrow("the query was aborted");
    expect(updates).toBe(asked);
  });
});

describe.skipIf(isSkipped)("a server that answers", () => {
  /** A reply that is signed as the server would sign it, or with another secret. */
  const signed = ({ message }: Passing, rcode: number, key = updateKey) => {
    const { id, opcode, tsig } = message;
    const octets = writeMessage({ id, opcode, qr: true, rcode });
    return sign(octets, key, { time: Math.floor(Date.now() / 1000), prior: { mac: tsig?.mac ?? "" } }).message;
  };
  const unsigned = ({ message: { id, opcode } }: Passing, rcode: number) =>
    writeMessage({ id, opcode, qr: true, rcode });
  const otherId = (octets: Buffer) => Buffer.concat([Buffer.from([octets.readUInt8(0) ^ 1]), octets.subarray(1)]);
  const otherKey = { ...updateKey, secret: Buffer.from("another secret") };
  const faults: Readonly<Record<string, (update: Passing) => void | Promise<void>>> = {
    SERVFAIL: (update) => update.reply(signed(update, rcode.SERVFAIL)),
    FORMERR: (update) => update.reply(signed(update, rcode.FORMERR)),
    NOTZONE: (update) => update.reply(signed(update, rcode.NOTZONE)),
    "REFUSED without a signature": (update) => update.reply(unsigned(update, rcode.REFUSED)),
    "NOERROR without a signature, and closes": (update) => {
      update.reply(unsigned(update, rcode.NOERROR));
      update.client.end();
    },
    "NOERROR with another secret, and closes": (update) => {
      update.reply(signed(update, rcode.NOERROR, otherKey));
      update.client.end();
    },
    "NOERROR with another id, and closes": (update) => {
      update.reply(otherId(signed(update, rcode.NOERROR)));
      update.client.end();
    },
    "another id first, then its own": async ({ forward, reply }) => {
      const octets = await forward();
      reply(otherId(octets));
      reply(octets);
    },
    twice: async ({ forward, reply }) => {
      const octets = await forward();
      reply(octets);
      reply(octets);
    },
    "not at all, after the update took effect": async ({ forward, client }) => {
      await forward();
      client.destroy();
    },
    "not at all": ({ client }) => void client.destroy(),
  };

  test.each(Object.entries(faults))("%s", async (title, fault) => {
    const relay = await startUpdateRelay(await startServer("BIND", 1));
    onTestFinished(() => relay.stop());
    relay.onUpdate = async (update) => fault(update);
    await pageOf([await sectionOf(title, errorDesk(textOf(relay)), ["apply --yes"])], `reply-${titleWords(title)}`);
  });

  test("too late", async () => {
    const relay = await startUpdateRelay(await startServer("BIND", 1));
    onTestFinished(() => relay.stop());
    relay.onUpdate = async ({ forward }) => void (await forward());
    const desk = openDesk(newFolder(), relay, zone, { bounds: { idleMs: 200 } });
    expect(await desk.apply(`$TTL 300\n${stored}new A 192.0.2.40\n`)).toMatchObject({ failures: [], left: 0 });
  });
});

describe.skipIf(isSkipped)("the way to a server", () => {
  test("a closed port, IPv6, another server to transfer from, a server that dies", async () => {
    const closed = await freePort();
    const sections = [
      await sectionOf("a closed port", errorDesk(`127.0.0.1:${closed}`)),
      await sectionOf("a closed port, in IPv6", errorDesk(`[::1]:${closed}`), ["plan"]),
    ];
    const server = await startBind("allow-transfer { any; };", `allow-update { key "${updateKey.name}"; };`);
    sections.push(await sectionOf("an IPv6 address", errorDesk(`[::1]:${server.port}`)));
    const old = await startNameServer("bind", { zones: { [zone]: zoneText(zone) }, keys: [updateKey] });
    onTestFinished(old.stop);
    for (const [title, from] of [
      ["a transfer that is cut", await proxy(server, 300)],
      ["a secondary that has not transferred the zone", old],
    ] as const) {
      const desk = errorDesk(textOf(server), { settings: `, transfer_from: "${textOf(from)}"` });
      desk.shown.push([textOf(from), "SECONDARY"]);
      sections.push(await sectionOf(title, desk, ["plan"]));
    }
    for (const isWritten of [false, true]) {
      const mortal = await startUpdateServer("BIND", 1);
      await mortal.untilServed(zone);
      const relay = await startUpdateRelay({ host: "127.0.0.1", port: mortal.port });
      relay.onUpdate = async ({ forward }) => {
        if (isWritten) await forward();
        relay.stop();
        await mortal.stop();
      };
      const title = isWritten ? "a server that dies before it replies" : "a server that dies between read and write";
      const desk = errorDesk(textOf(relay));
      sections.push(await sectionOf(title, desk, ["apply --yes", "plan"]));
    }
    await pageOf(sections, "network");
  });

  test("a server that does not answer", async () => {
    const silent = createServer().listen(0, "127.0.0.1");
    const port = await new Promise<number>((resolve) => {
      silent.on("listening", () => resolve((silent.address() as AddressInfo).port));
    });
    const datagrams = createSocket("udp4").bind(port, "127.0.0.1");
    await once(datagrams, "listening");
    onTestFinished(() => {
      silent.close();
      datagrams.close();
    });
    const server = await startServer("BIND", 1);
    const bounds = { timeoutMs: 20, attempts: 2, idleMs: 100 };
    const problemOf = async (...options: Parameters<typeof openDesk>) => {
      const { read } = openDesk(...options).target;
      const error = await read.listZones().then(
        ([head]) => head && read.readZone(head.id).catch((error: unknown) => error),
        (error: unknown) => error,
      );
      if (!(error instanceof ProblemError)) throw error;
      const { id, kind, summary, fix } = error.problem;
      return [id, kind, summary.replace(String(port), "PORT"), fix];
    };
    const fix = "Check the load of the server, and the network to it. Then run the command again.";
    const at = "z01.example, 127.0.0.1:PORT";
    expect(await problemOf(newFolder(), { host: "127.0.0.1", port }, zone, { bounds })).toEqual([
      "transfer/timeout",
      "failed",
      `${at}: no response over UDP to 2 queries`,
      fix,
    ]);
    const transferFrom = { host: "127.0.0.1", port };
    expect(await problemOf(newFolder(), server, zone, { bounds, transferFrom })).toEqual([
      "transfer/timeout",
      "failed",
      `${at}: the server has not answered within 0.1 seconds`,
      fix,
    ]);
  });

  test("a limit of TTLs", async () => {
    const server = await startBind(
      "allow-transfer { any; };",
      `allow-update { key "${updateKey.name}"; };`,
      "max-zone-ttl 3600;",
    );
    const desk = errorDesk(textOf(server), { records: `${stored}new 86400 A 192.0.2.40\nlow 3600 A 192.0.2.41\n` });
    const commands = ["apply --yes", "plan"];
    const first = await sectionOf("a TTL above the limit", desk, commands);
    await pageOf([first, await sectionOf("once more", desk, commands)], "ttl-limit");
  });
});
