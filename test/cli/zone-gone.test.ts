import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { apiDesk, type Desk, lines, type Result } from "./run.ts";

const zone = (address: string) => lines`
  soa_email: hostmaster@example.com
  ttl_sec: 1h
  records:
    www: { A: ${address} }
    api: { A: ${address} }
`;

/**
 * A desk with two zones that are to be changed. The domain of the first leaves the account before the request of this
 * number from now on, or the first of this method; writes to the other one fail while `otherFails`.
 */
async function begin(how: "transfer" | "deletion" = "transfer") {
  const at = { request: 0 as number | string, seen: 0, otherFails: false };
  let leave = async () => {};
  let left: Promise<void> | undefined;
  const files = { "zones/example.com.yaml": zone("192.0.2.2"), "zones/other.example.yaml": zone("192.0.2.2") };
  const desk = await apiDesk(files, (server) => async (request, connection) => {
    if (++at.seen === at.request || request.method === at.request) left ??= leave();
    await left;
    if (at.otherFails && request.method === "PUT" && request.url.includes("/domains/2/"))
      return new Response('{"errors":[{"reason":"Unauthorized"}]}', { status: 403 });
    return server(request, connection);
  });
  const settings = { type: "master", soa_email: "hostmaster@example.com", ttl_sec: 3600 };
  for (const domain of ["example.com", "other.example"]) {
    const { id } = await desk.call("POST", "/domains", { ...settings, domain });
    for (const name of ["www", "api"])
      await desk.call("POST", `/domains/${id}/records`, { type: "A", name, target: "192.0.2.1", ttl_sec: 3600 });
  }
  const owner = await desk.mint({ username: "owner" });
  leave = async () => {
    if (how === "deletion") return desk.call("DELETE", "/domains/1");
    const transfer = await desk.call("POST", "/account/service-transfers", { entities: { domains: [1] } });
    await desk.call("POST", `/account/service-transfers/${transfer.token}/accept`, undefined, owner);
    desk.waited += 60_000;
  };
  const leaveBefore = (request: number | string) => Object.assign(at, { request, seen: 0 });
  const removeFile = (file: string) => rmSync(join(desk.folder, "zones", file));
  return { desk, at, owner, leave: () => leave(), leaveBefore, removeFile };
}

const gone = (next: string) => lines`
  example.com: 2 writes
  example.com: failed after N of 2 writes: domain 1 is no longer in this account: it was deleted, or transferred to another account. If another account has it now, move its zone file to the repository of that account. If it was deleted, the next plan creates it again.
  1 of 1 zone failed. Fix the error above, then run ${"`"}${next}${"`"}.
`;

const ends = {
  "before it is planned": lines`
    1
    example.com: 4 writes
    example.com: failed after N of 4 writes: POST /v4/domains: 400 domain: DNS zone already exists. If ${"`"}zonewright api list-domains${"`"} does not show it, it belongs to another user or account: use a token of its owner, or have it released there.
    1 of 1 zone failed. Fix the error above, then run ${"`"}zonewright apply --resume${"`"}.
  `,
  "while it is read": lines`
    1
    error[api/not-found] GET /v4/domains/1/records: 404 Not found
      The domain 1 does not exist, or this token may not access it.
  `,
  "before its first write": `1\n${gone("zonewright plan")}`,
  "between its writes, or before it is read back": `5\n${gone("zonewright plan")}`,
  "not at all": lines`
    0
    example.com: 2 writes
    example.com: done
  `,
};

/** Runs a command, with `RUN` for the id of the last run. */
async function runAfter(desk: Desk, command: string, env = {}): Promise<Result> {
  const [id = ""] = readdirSync(`${desk.folder}/.zonewright/runs`).sort().slice(-1);
  desk.shown.push([id, "RUN"]);
  return desk.run(command, { env });
}

test("whichever request of apply a transfer precedes, apply succeeds or says what happened, and its advice works", async () => {
  const found = new Set<string>();
  for (let request = 1, isOver = false; !isOver; request++) {
    const { desk, at, leaveBefore, owner, removeFile } = await begin();
    leaveBefore(request);
    const { code, talk } = await desk.run("apply example.com --yes");
    isOver = at.seen < request;
    const end = `${code}\n${talk.replace(/after \d+ of/, "after N of")}`;
    found.add(end);
    if (end === ends["before it is planned"]) {
      const env = { ZONEWRIGHT_TOKEN: owner };
      expect(await runAfter(desk, "apply --resume --yes", env)).toMatchObject({
        code: 0,
        talk: "example.com: 2 writes\nexample.com: done\n",
      });
    }
    if (!talk.includes("zonewright plan`")) continue;
    removeFile("example.com.yaml");
    desk.write("zones/other.example.yaml", zone("192.0.2.1"));
    expect(await runAfter(desk, "plan")).toEqual({
      code: 0,
      out: "in sync: 1 zone, nothing to do\n",
      talk: "",
    });
    expect(await runAfter(desk, "apply --resume")).toEqual({
      code: 3,
      out: "",
      talk: lines`
        error[run-unknown] nothing to resume: the domains of the last run, RUN, left the account, and have no zone files any more
          Run apply without --resume.
      `,
    });
  }
  expect(found).toEqual(new Set(Object.values(ends)));
});

test("a domain that is deleted amid apply: the next plan creates it again", async () => {
  const { desk, leaveBefore } = await begin("deletion");
  leaveBefore(5);
  const { code, talk } = await desk.run("apply example.com --yes");
  expect([code, talk.replace(/after \d+ of/, "after N of")]).toEqual([1, gone("zonewright plan")]);
  expect((await desk.run("plan example.com")).out).toContain("+3 create");
  expect(await runAfter(desk, "apply --resume --yes")).toMatchObject({
    code: 0,
    talk: "example.com: 4 writes\nexample.com: done\n",
  });
});

test("another zone that failed in the same run is continued without the one that left", async () => {
  const { desk, at, leaveBefore, removeFile } = await begin();
  at.otherFails = true;
  leaveBefore(8);
  const { code, talk } = await desk.run("apply --yes");
  expect([
    code,
    talk
      .replaceAll(/after \d+ of/g, "after N of")
      .split("\n")
      .sort(),
  ]).toEqual([
    1,
    [
      "",
      "2 of 2 zones failed. Fix the errors above, then run `zonewright apply --resume`.",
      "example.com: 2 writes",
      gone("").split("\n")[1],
      "other.example: 2 writes",
      expect.stringMatching(
        /^other\.example: failed after N of 2 writes: PUT \/v4\/domains\/2\/records\/\d: 403 Unauthorized\./,
      ),
    ],
  ]);
  at.otherFails = false;
  removeFile("example.com.yaml");
  expect(await runAfter(desk, "apply --resume --yes")).toMatchObject({
    code: 0,
    talk: "other.example: 2 writes\nother.example: done\n",
  });
});

test("a swap that a transfer leaves half done is named, because only the new owner can complete it", async () => {
  const { desk, leaveBefore } = await begin();
  await desk.call("POST", "/domains/1/records", {
    type: "CNAME",
    name: "old",
    target: "www.example.com",
    ttl_sec: 3600,
  });
  desk.write("zones/example.com.yaml", `${zone("192.0.2.1")}  old: { A: 192.0.2.1 }\n`);
  leaveBefore("POST");
  expect(await desk.run("apply example.com --yes")).toMatchObject({
    code: 5,
    talk: lines`
      example.com: 2 writes
      example.com: failed after 1 of 2 writes: domain 1 is no longer in this account: it was deleted, or transferred to another account. If another account has it now, move its zone file to the repository of that account. If it was deleted, the next plan creates it again.
        old.example.com. CNAME www.example.com. could not be restored: POST /v4/domains/1/records: 404 Not found. The account that has the domain now has to restore it: until then lookups of the name may fail.
      1 of 1 zone failed. Fix the error above, then run ${"`"}zonewright plan${"`"}.
    `,
  });
});

test("a plan file of the old owner is not applied after a transfer, and advises a new one", async () => {
  const { desk, leave, removeFile } = await begin();
  expect((await desk.run("plan --out plan.json")).code).toBe(0);
  await leave();
  desk.writes.length = 0;
  expect(await desk.run("apply plan.json --yes")).toEqual({
    code: 4,
    out: "",
    talk: lines`
      error[plan-stale] domain 1 of example.com no longer exists, or is not visible to this token
        Nothing was written. Make a new plan with ${"`"}zonewright plan --out FILE${"`"}.
    `,
  });
  expect(desk.writes).toEqual([]);
  removeFile("example.com.yaml");
  expect((await desk.run("plan --out new.json")).code).toBe(0);
  expect((await desk.run("apply new.json --yes")).talk).toBe("other.example: 2 writes\nother.example: done\n");
});

test("a plan file whose domain leaves while it is applied advises a new one", async () => {
  const { desk, leaveBefore } = await begin();
  expect((await desk.run("plan example.com --out plan.json")).code).toBe(0);
  leaveBefore(8);
  const { code, talk } = await desk.run("apply plan.json --yes");
  expect([code, talk.replace(/after \d+ of/, "after N of")]).toEqual([1, gone("zonewright plan --out FILE")]);
});
