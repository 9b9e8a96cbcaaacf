// @suite nightly-postgres

import { describe, expect, test } from "vitest";
import { TransferError } from "../../src/dns/transfer/transfer-error.ts";
import { addUser, setGrant } from "../../src/server/areas/account/users-operator.ts";
import { setManaged } from "../../src/server/areas/managed/managed-operator.ts";
import { embeddedCatalog } from "../../src/server/catalog/embedded.ts";
import { simulatedDriver } from "../../src/server/kit/job-driver.ts";
import type { Remote } from "../../src/server/kit/remote.ts";
import { readBind } from "../formats/api.ts";
import { Browser, givePassword } from "./browser.ts";
import { sections } from "./sentences/index.ts";
import { type ApiRequest, callers, type Sentence } from "./sentences/kit.ts";
import { type Answer, start } from "./start.ts";

type Api = Awaited<ReturnType<typeof start>>;

/** Creates a caller, whose token is their name. */
async function addCaller({ store, clock, mint }: Api, name: (typeof callers)[number]): Promise<void> {
  if (name === "stranger") await mint({ username: name, token: name });
  else {
    await addUser(store, { username: name, account: "admin", restricted: name !== "colleague", now: clock.now });
    if (name === "read_only" || name === "read_write") await setGrant(store, name, "example.com", name, clock.now);
    await mint({ username: name, token: name });
  }
}

async function signIn({ store, server }: Api, username: string): Promise<void> {
  await givePassword(store, username, "correct horse battery");
  expect((await new Browser(server).signIn("/sign-in", username, "correct horse battery")).status).toBe(303);
}

/** The name server 192.0.2.53, which has a zone with the host `www`; the others do not answer. */
const remote: Remote = {
  async transfer(zone, { host }) {
    if (host !== "192.0.2.53") throw new TransferError("transfer/timeout", "no answer");
    const text = "@ 3600 IN SOA ns1 hostmaster 1 7200 3600 1209600 300\nwww 300 IN A 192.0.2.1\n";
    const { records } = readBind({ file: "zone", bytes: Buffer.from(text), origin: zone }).zone;
    return { records: [...records], unread: [] };
  },
  soa: () => Promise.reject(new Error("no request needs the SOA record alone")),
};

/** Only volumes cost; two deploy scripts work on Debian 12, and one of them has a question. */
const volume_gb = { hourly: 0.0002, monthly: 0.1 };
const images = ["node/debian12"];
const catalog = {
  ...embeddedCatalog,
  prices: { ...embeddedCatalog.prices, volume_gb },
  deployscripts: [
    { id: 1, images, fields: [] },
    { id: 2, images, fields: [{ name: "host", label: "Host name" }] },
  ],
};

/**
 * One test for each sentence. The server has the domain 1, `example.com`, with the record 1, the host `www`; its jobs
 * take as long as at the hosted service. The answer to each request but the last is 200.
 */
async function check(sentence: Sentence): Promise<void> {
  const [, asked, expected, profile = "documented"] = sentence;
  const api = await start({ profile, remote, catalog, jobDriver: simulatedDriver(1) });
  await api.domain("example.com", [{ type: "A", name: "www", target: "192.0.2.1" }]);
  const known = new Set<string>();
  let id = "";
  let token = "";
  const send = async ([method, path, body, headers]: ApiRequest) => {
    const caller = callers.find((name) => name === headers?.as);
    if (caller && !known.has(caller)) await addCaller(api, caller);
    if (caller) known.add(caller);
    const where = path.replace("{id}", id).replace("{token}", token).replace("{lower token}", token.toLowerCase());
    const answer = await api.call(method, where, body, headers);
    if (answer.body?.id !== undefined) id = String(answer.body.id);
    if (answer.body?.token !== undefined) token = answer.body.token;
    return answer;
  };
  let last: Answer | undefined;
  for (const step of asked) {
    if (last) expect(last.status, JSON.stringify(step)).toBe(200);
    last = undefined;
    if (Array.isArray(step)) last = await send(step);
    else if ("refused" in step) expect([400, 409], JSON.stringify(step)).toContain((await send(step.refused)).status);
    else if ("seconds" in step) api.clock.now = new Date(api.clock.now.getTime() + step.seconds * 1000);
    else if ("managed" in step) await setManaged(api.store, "admin", step.managed === "on", api.clock.now);
    else if ("operator" in step) await step.operator(api.store, api.clock.now);
    else await signIn(api, step.signsIn);
  }
  expect(last).toEqual(expected);
}

for (const [section, sentences] of Object.entries(sections)) {
  describe(section, () => {
    for (const sentence of sentences) test(sentence[0], () => check(sentence));
  });
}
