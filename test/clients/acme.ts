import { spawn } from "node:child_process";
import { createSocket } from "node:dgram";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Answer, decode, encode } from "dns-packet";
import { onTestFinished } from "vitest";
import { selfSigned } from "../client/sockets.ts";
import { freePort } from "../dns/transfer/nameservers.ts";

/**
 * Pebble, a certificate authority for tests, as long as the test. It issues a certificate only when the TXT record of
 * the challenge (RFC 8555 §8.4) is in the zone, whose lines `zoneFile` returns. Returns the address of its
 * directory, and the certificate by which it is known.
 */
export async function certificateAuthority(
  folder: string,
  origin: string,
  zoneFile: () => Promise<string[]>,
): Promise<{ directory: string; cert: Buffer }> {
  const { key, cert } = selfSigned("IP:127.0.0.1");
  writeFileSync(join(folder, "pebble.key"), key);
  writeFileSync(join(folder, "pebble.pem"), cert);
  const pebble = {
    listenAddress: `127.0.0.1:${await freePort()}`,
    certificate: "pebble.pem",
    privateKey: "pebble.key",
    httpPort: 0,
    tlsPort: 0,
  };
  writeFileSync(join(folder, "pebble.json"), JSON.stringify({ pebble }));
  const resolver = `127.0.0.1:${await nameServer(origin, zoneFile)}`;
  const child = spawn("pebble", ["-config", "pebble.json", "-dnsserver", resolver], {
    cwd: folder,
    env: { PATH: process.env.PATH, PEBBLE_VA_NOSLEEP: "1", PEBBLE_WFE_NONCEREJECT: "0" },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = new Promise((resolve) => child.once("close", resolve));
  onTestFinished(async () => {
    child.kill();
    await ended;
  });
  const directory = await new Promise<string>((resolve, reject) => {
    let log = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      log += text;
      const [, url] = /ACME directory available at: (\S+)\n/.exec(log) ?? [];
      if (url !== undefined) resolve(url);
    });
    child.once("error", reject);
    child.once("close", () => reject(new Error(`pebble ended:\n${log}`)));
  });
  return { directory, cert };
}

/** Answers for the TXT records of a zone over UDP, as long as the test; its port. */
async function nameServer(origin: string, zoneFile: () => Promise<string[]>): Promise<number> {
  const socket = createSocket("udp4");
  socket.on("message", async (message, { port, address }) => {
    const { id = 0, questions = [] } = decode(message);
    const answers: Answer[] = [];
    for (const { name, type } of questions) {
      for (const line of await zoneFile()) {
        const [, owner, data = ""] = /^(\S+)(?: \d+)? TXT "([^"]*)"$/.exec(line) ?? [];
        const isAsked = type === "TXT" && name.toLowerCase() === `${owner}.${origin}`;
        if (isAsked) answers.push({ type: "TXT", name, ttl: 0, data });
      }
    }
    socket.send(encode({ type: "response", id, questions, answers }), port, address);
  });
  await new Promise<void>((resolve) => socket.bind(0, "127.0.0.1", resolve));
  onTestFinished(() => void socket.close());
  return socket.address().port;
}
