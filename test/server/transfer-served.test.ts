// @suite long nightly-postgres

import { spawn } from "node:child_process";
import { renameSync } from "node:fs";
import { join } from "node:path";
import { expect, inject, test } from "vitest";
import { createToken } from "../../src/server/areas/account/tokens-operator.ts";
import { openStore } from "../../src/server/store/store.ts";
import { apiOf, Program } from "../cli/process.ts";
import { Desk, lines } from "../cli/run.ts";
import { isMissing } from "../judges.ts";
import { emptyPlace } from "./stores.ts";

const names = Array.from({ length: 100 }, (_, index) => `n${index}`);
const file = (address: string) => lines`
  soa_email: hostmaster@example.com
  ttl_sec: 1h
  records:
    www: { A: 192.0.2.1 }
    ${names.map((name) => `${name}: { A: ${address} }`).join("\n    ")}
`;
const transfers = "/account/service-transfers";

const questions = ["www.example.com A", "n0.example.com A", "example.com SOA"];

/** A process of `dig` that asks these questions in turn, every 10 ms. */
function ask(port: string) {
  const dig = spawn("dig", ["-r", "-f", "-"], { stdio: ["pipe", "pipe", "pipe"] });
  let out = "";
  for (const stream of [dig.stdout, dig.stderr])
    stream.setEncoding("utf8").on("data", (text: string) => {
      out += text;
    });
  const ended = new Promise<number | null>((resolve) => dig.once("close", resolve));
  const options = `@127.0.0.1 -p ${port} +noall +comments +answer +tries=1 +time=20`;
  let asked = 0;
  const feeding = setInterval(() => dig.stdin.write(`${options} ${questions[asked++ % questions.length]}\n`), 10);
  /** Ends it, and returns the answers to each question: the status, whether it is authoritative, and the records. */
  const end = async () => {
    clearInterval(feeding);
    dig.stdin.end();
    expect(await ended, out).toBe(0);
    const answers = out
      .split(/^;; Got answer:\n/m)
      .slice(1)
      .map((text) => {
        const [, status] = /status: (\w+)/.exec(text) ?? [];
        const [, flags = ""] = /flags: ([^;]*)/.exec(text) ?? [];
        const records = text.split("\n").filter((line) => /^[^;\s]/.test(line));
        return [status, flags.trim(), ...records.map((record) => record.replaceAll(/\s+/g, " "))].join("; ");
      });
    expect(answers.length).toBe(asked);
    return questions.map((_, index) => answers.filter((_, n) => n % questions.length === index));
  };
  return { end };
}

test.skipIf(isMissing("dig"))(
  "amid apply, a domain moves to another account: dig gets every answer, and apply ends with advice that works",
  async () => {
    const desk = new Desk({
      "zones/example.com.yaml": file("192.0.2.1"),
      "zones/other.example.yaml": file("192.0.2.1"),
    });
    const owner = new Desk({ "zones/third.example.yaml": file("192.0.2.1") });
    const database = inject("postgres") === undefined ? undefined : await emptyPlace();
    const store = await openStore(database ?? join(desk.folder, "data", "zonewright.db"));
    for (const username of ["sender", "receiver"])
      await createToken(store, { username, token: username, now: new Date() });
    await store.close();
    const where = database === undefined ? " --data data" : "";
    const env = database === undefined ? {} : { DATABASE_URL: database };
    const server = new Program(desk.folder, `serve --port 0 --job-time 0 --dns 127.0.0.1:0${where}`, env);
    const { url } = await apiOf(server);
    const [, port = ""] = await server.says(/names are answered on \S+:(\d+);/);
    const call = async (token: string, method: string, path: string, body?: object) => {
      const headers = { Authorization: `Bearer ${token}` };
      const reply = await fetch(`${url}/v4${path}`, { method, headers, body: body ? JSON.stringify(body) : null });
      const text = await reply.text();
      expect([method, path, reply.status, text]).toEqual([method, path, 200, text]);
      return JSON.parse(text);
    };
    for (const [one, token] of [
      [desk, "sender"],
      [owner, "receiver"],
    ] as const) {
      Object.assign(one.env, { ZONEWRIGHT_API_URL: url, ZONEWRIGHT_TOKEN: token });
      one.now = new Date();
    }
    expect((await desk.run("apply --yes")).code).toBe(0);
    const asking = ask(port);

    desk.write("zones/example.com.yaml", file("192.0.2.2"));
    const { token } = await call("sender", "POST", transfers, { entities: { domains: [1] } });
    const applying = new Program(desk.folder, "apply example.com --yes --verbose --allow G13,G14", desk.env);
    await applying.says(/changed n\d+ A/);
    await call("receiver", "POST", `${transfers}/${token}/accept`);
    const applied = await applying.end();
    const [, written = ""] = /after (\d+) of/.exec(applied.talk) ?? [];
    const talk = applied.talk.replaceAll(/^ {2}example\.com: changed n\d+ A 192\.0\.2\.1 to 192\.0\.2\.2\n/gm, "");
    expect([applied.code, talk]).toEqual([
      5,
      lines`
      example.com: 100 writes
      example.com: failed after ${written} of 100 writes: domain 1 is no longer in this account: it was deleted, or transferred to another account. If another account has it now, move its zone file to the repository of that account. If it was deleted, the next plan creates it again.
      1 of 1 zone failed. Fix the error above, then run ${"`"}zonewright plan${"`"}.
    `,
    ]);
    expect((await call("sender", "GET", `${transfers}/${token}`)).status).toBe("completed");

    renameSync(join(desk.folder, "zones/example.com.yaml"), join(owner.folder, "zones/example.com.yaml"));
    expect(await desk.run("plan")).toEqual({ code: 0, out: "in sync: 1 zone, nothing to do\n", talk: "" });
    const rest = await owner.run("apply example.com --yes --allow G13,G14");
    expect([rest.code, rest.talk]).toEqual([0, `example.com: ${100 - Number(written)} writes\nexample.com: done\n`]);

    const [same = [], changed = [], soa = []] = await asking.end();
    expect(new Set(same)).toEqual(new Set(["NOERROR; qr aa rd; www.example.com. 3600 IN A 192.0.2.1"]));
    const old = changed.filter((answer) => answer === changed[0]);
    expect([...new Set(changed)]).toEqual(
      [1, 2].map((n) => `NOERROR; qr aa rd; n0.example.com. 3600 IN A 192.0.2.${n}`),
    );
    expect(changed.slice(0, old.length)).toEqual(old); // never the old address again
    const serials = soa.map((answer) => Number(answer.split(" ")[10]));
    expect(serials).toEqual(serials.toSorted((a, b) => a - b));
    expect(new Set(soa.map((answer, n) => answer.replace(` ${serials[n]} `, " SERIAL ")))).toEqual(
      new Set([
        "NOERROR; qr aa rd; example.com. 3600 IN SOA ns1.zonewright.invalid. hostmaster.example.com. SERIAL 14400 14400 1209600 3600",
      ]),
    );
  },
);
