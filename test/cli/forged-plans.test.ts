import { generateKeyPairSync, type KeyObject, sign } from "node:crypto";
import { mkdirSync, rmSync, truncateSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { digestJson } from "../../src/planner/changes/digests.ts";
import { digestEffects } from "../../src/planner/changes/effects.ts";
import { effectOf } from "../../src/planner/plan-file/plan-file.ts";
import type { PlanFile } from "../../src/planner/plan-file/plan-schema.ts";
import { keyId, signPlan } from "../../src/planner/plan-file/plan-signature.ts";
import { after, before } from "./reviewed.ts";
import { type ApiDesk, apiDesk } from "./run.ts";

const own = generateKeyPairSync("ed25519");
const other = generateKeyPairSync("ed25519");
const pem = (key: KeyObject) =>
  key.export({ type: key.type === "private" ? "pkcs8" : "spki", format: "pem" }).toString();
const zone = "zones/example.com.yaml";

// biome-ignore lint/suspicious/noExplicitAny: a forger writes anything.
type Json = any;

const read = (desk: ApiDesk): Json => JSON.parse(desk.read("plan.json"));
const write = (desk: ApiDesk, plan: Json) => desk.write("plan.json", JSON.stringify(plan));

/** Edits the file and leaves its digests alone. */
const edit = (change: (plan: Json) => void) => (desk: ApiDesk) => {
  const plan = read(desk);
  change(plan);
  write(desk, plan);
};

/** Edits the file, and makes its digests match, as everyone can who has no key. */
const refit = (change: (plan: Json) => void) => (desk: ApiDesk) => {
  const { planDigest, ...plan } = read(desk);
  change(plan);
  if (Array.isArray(plan.changes) && plan.changes.every((one: Json) => one.kind))
    plan.effectDigest = digestEffects(plan.changes.map(effectOf));
  write(desk, { ...plan, planDigest: digestJson(plan) });
};

/** Edits the file, and signs it with a key. */
const resign = (key: KeyObject, change: (plan: Json) => void) => (desk: ApiDesk) => {
  refit(change)(desk);
  write(desk, signPlan(read(desk) as PlanFile, key));
};

const text = (change: (text: string) => string) => (desk: ApiDesk) => {
  const before = desk.read("plan.json");
  const now = change(before);
  expect(now).not.toBe(before);
  desk.write("plan.json", now);
};

const set192 = (plan: Json) => {
  const www = plan.changes.find(({ name }: Json) => name === "www.example.com.");
  www.after.rdata = "192.0.2.66";
};
const nest = (levels: number, start: string, end: string) => start.repeat(levels) + end.repeat(levels);

const anew = "Make a new plan with `zonewright plan --out FILE`.";
const anewSigned = "Make a new plan with `zonewright plan --out FILE --sign`, where the trusted signing key is set.";
const edited = `error[plan-digest] plan.json was edited after it was written: its digest does not match\n  ${anew}\n`;
const forged = `error[plan-signature] plan.json was edited after it was signed, or not signed with the key OWN\n  ${anewSigned}\n`;
const unsigned = `error[plan-signature] plan.json is not signed\n  ${anewSigned}\n`;
const untrusted = `error[plan-signature] plan.json is signed with the key OTHER, which is not trusted (trusted: OWN)\n  ${anewSigned}\n`;
const truncated = `error[plan-syntax] plan.json is not valid JSON: it was truncated or edited\n  ${anew}\n`;
const syntax = (why: string) => `error[plan-syntax] plan.json is not valid JSON: ${why}\n  ${anew}\n`;
const shape = (why: string) => `error[plan-shape] plan.json is not a complete plan: ${why}\n  ${anew}\n`;
const format = (what: string) =>
  `error[plan-format] plan.json is ${what}; this zonewright reads zonewright.plan/1\n  ${anew}\n`;

interface Forgery {
  what: string;
  forge: (desk: ApiDesk) => unknown;
  talk: string;
  code?: number;
  /** Whether no signature is required; then the other checks refuse the file. */
  isUnsigned?: true;
}

test.each<Forgery>([
  // The signature.
  { what: "a plan that was never signed", forge: (desk) => desk.run("plan --out plan.json"), talk: unsigned },
  { what: "a removed signature", forge: edit((plan) => delete plan.signature), talk: edited },
  { what: "a removed signature and a new digest", forge: refit((plan) => delete plan.signature), talk: unsigned },
  { what: "an edited value", forge: edit(set192), talk: edited },
  { what: "an edited value and new digests", forge: refit(set192), talk: forged },
  { what: "an edited value, signed with another key", forge: resign(other.privateKey, set192), talk: untrusted },
  {
    what: "a signature by another key with the id of the trusted one",
    forge: (desk) => {
      resign(other.privateKey, set192)(desk);
      refit(({ signature }) => {
        signature.key = keyId(own.publicKey);
      })(desk);
    },
    talk: forged,
  },
  {
    what: "the signature of another plan",
    forge: async (desk) => {
      const { signature } = read(desk);
      desk.write(zone, before.replace("192.0.2.80", "192.0.2.81"));
      await desk.run("plan --out plan.json --sign");
      refit((plan) => Object.assign(plan, { signature }))(desk);
    },
    talk: forged,
  },
  {
    what: "a signature with one other bit",
    forge: refit(({ signature }) => {
      const octets = Buffer.from(signature.value, "base64");
      octets[5] = (octets[5] ?? 0) ^ 1;
      signature.value = octets.toString("base64");
    }),
    talk: forged,
  },
  {
    what: "a signature of the digest instead of the content",
    forge: refit((plan) => {
      plan.signature.value = sign(null, Buffer.from(plan.effectDigest), own.privateKey).toString("base64");
    }),
    talk: forged,
  },
  {
    what: "a later expiry",
    forge: refit((plan) => Object.assign(plan, { expires: "2036-03-05T12:00:00Z" })),
    talk: forged,
  },
  { what: "another nonce", forge: refit((plan) => Object.assign(plan, { nonce: "f".repeat(32) })), talk: forged },
  {
    what: "an allowed guard",
    forge: refit((plan) =>
      plan.guards.push({ guard: "G05", zone: "example.com.", state: "allowed", texts: [], effects: plan.effectDigest }),
    ),
    talk: forged,
  },
  {
    what: "another domain id",
    forge: refit((plan) => Object.assign(plan.observed.zones[0], { domainId: 2 })),
    talk: forged,
  },
  { what: "an additional member", forge: refit((plan) => Object.assign(plan, { addition: 1 })), talk: forged },
  {
    what: "one more effect",
    forge: refit((plan) => plan.changes.push({ ...plan.changes[0], after: { ttl_sec: 60, rdata: "192.0.2.77" } })),
    talk: forged,
  },
  { what: "one effect less", forge: refit((plan) => plan.changes.pop()), talk: forged },
  {
    what: "another algorithm",
    forge: refit(({ signature }) => Object.assign(signature, { algorithm: "none" })),
    talk: shape('signature.algorithm: Invalid input: expected "ed25519"'),
  },
  {
    what: "an empty signature",
    forge: refit(({ signature }) => Object.assign(signature, { value: "" })),
    talk: shape("signature.value: Invalid string: must match pattern /^[0-9A-Za-z+/]{86}==$/"),
  },
  {
    what: "a list of signatures",
    forge: refit((plan) => Object.assign(plan, { signature: [plan.signature] })),
    talk: shape("signature: Invalid input: expected object, received array"),
  },
  {
    what: "the key instead of its id",
    forge: refit(({ signature }) => Object.assign(signature, { key: pem(own.publicKey) })),
    talk: shape("signature.key: Invalid string: must match pattern /^[0-9a-f]{16}$/"),
  },
  {
    what: "a null signature",
    forge: refit((plan) => Object.assign(plan, { signature: null })),
    talk: shape("signature: Invalid input: expected object, received null"),
  },
  // The text.
  { what: "a truncated file", forge: text((all) => all.slice(0, -20)), talk: truncated },
  { what: "text after the end", forge: text((all) => `${all}{}`), talk: truncated },
  { what: "a byte order mark", forge: text((all) => `\ufeff${all}`), talk: truncated },
  { what: "a comment", forge: text((all) => `/* reviewed */${all}`), talk: truncated },
  { what: "an empty file", forge: (desk) => desk.write("plan.json", ""), talk: truncated },
  { what: "a zone file", forge: (desk) => desk.write("plan.json", after), talk: truncated },
  { what: "NaN", forge: text((all) => all.replace('"ttl_sec": 3600', '"ttl_sec": NaN')), talk: truncated },
  {
    what: "two lists of changes",
    forge: text((all) => all.replace("{", '{"changes":[],')),
    talk: syntax('it has the key "changes" twice in one object'),
  },
  {
    what: "two values, one key escaped",
    forge: text((all) => all.replace('"rdata"', '"\\u0072data":"192.0.2.66","rdata"')),
    talk: syntax('it has the key "rdata" twice in one object'),
  },
  {
    what: "two hostile keys",
    forge: text((all) => all.replace("{", '{"\\u001b[2J":1,"\\u001b[2J":2,')),
    talk: syntax('it has the key "\\x1b[2J" twice in one object'),
  },
  {
    what: "a prototype",
    forge: text((all) => all.replace("{", '{"__proto__":{"changes":[]},')),
    talk: syntax('it has the key "__proto__"'),
  },
  {
    what: "a prototype in a change",
    forge: text((all) => all.replace('"rdata"', '"__proto__":{"rdata":"192.0.2.66"},"rdata"')),
    talk: syntax('it has the key "__proto__"'),
  },
  {
    what: "lists that are nested deep",
    forge: text((all) => all.replace("{", `{"deep":${nest(200_000, "[", "]")},`)),
    talk: syntax("it is nested more than 32 levels deep"),
  },
  {
    what: "objects that are nested deep",
    forge: text((all) => all.replace("{", `{"deep":${nest(32, '{"a":', "}").replace('{"a":}', "{}")},`)),
    talk: syntax("it is nested more than 32 levels deep"),
  },
  {
    what: "a huge file",
    forge: (desk) => truncateSync(join(desk.folder, "plan.json"), 300 * 2 ** 20),
    talk: `error[plan-format] plan.json is not a plan file: it has 300 MiB, more than 256 MiB\n  ${anew}\n`,
  },
  {
    what: "a folder",
    forge: (desk) => {
      rmSync(join(desk.folder, "plan.json"));
      mkdirSync(join(desk.folder, "plan.json"));
    },
    code: 3,
    talk: "error[file-read] plan.json cannot be read: it is a folder\n  Name a regular file, or put one in its place.\n",
  },
  // The content.
  { what: "null", forge: (desk) => desk.write("plan.json", "null"), talk: format("not a plan file") },
  { what: "a snapshot", forge: (desk) => desk.run("snapshot --out plan.json"), talk: format("not a plan file") },
  {
    what: "a plan of a later format",
    forge: refit((plan) => Object.assign(plan, { format: "zonewright.plan/2" })),
    talk: format("a plan of another version (zonewright.plan/2)"),
  },
  {
    what: "a plan of another tool",
    forge: refit(({ tool }) => Object.assign(tool, { name: "other" })),
    talk: shape('tool.name: Invalid input: expected "zonewright"'),
  },
  {
    what: "an object of changes",
    forge: refit((plan) => Object.assign(plan, { changes: {} })),
    talk: shape("changes: Invalid input: expected array, received object"),
  },
  {
    what: "an infinite TTL",
    forge: text((all) => all.replace('"ttl_sec": 3600', '"ttl_sec": 1e999')),
    talk: shape("changes.0.before.ttl_sec: Invalid input: expected number, received Infinity"),
  },
  {
    what: "a negative TTL",
    forge: text((all) => all.replace('"ttl_sec": 3600', '"ttl_sec": -1')),
    talk: shape("changes.0.before.ttl_sec: Too small: expected number to be >=0"),
  },
  {
    what: "a create with a record before",
    forge: refit((plan) => Object.assign(plan.changes[0], { kind: "create" })),
    talk: shape("changes.0.before: Invalid input: expected null, received object"),
  },
  // Files that are whole, without a signature.
  {
    what: "a plan for another API",
    forge: refit(({ target }) => Object.assign(target, { api: "https://api.example.com/v4" })),
    isUnsigned: true,
    talk: `error[plan-target] plan.json is for the API https://api.example.com/v4, but this is http://api/v4\n  ${anew}\n`,
  },
  {
    what: "a plan for another account",
    forge: refit(({ target }) => Object.assign(target, { account: "00000000-0000-0000-0000-000000000000" })),
    isUnsigned: true,
    talk: `error[plan-target] plan.json is for the account 00000000-0000-0000-0000-000000000000, but this token belongs to ACCOUNT\n  ${anew}\n`,
  },
  {
    what: "an expired plan",
    forge: refit((plan) => Object.assign(plan, { expires: "2026-03-04T11:59:59Z" })),
    isUnsigned: true,
    talk: `error[plan-expired] plan.json expired at 2026-03-04T11:59:59Z\n  ${anew}\n`,
  },
  {
    what: "a plan with another domain id",
    forge: refit((plan) => Object.assign(plan.observed.zones[0], { domainId: 7 })),
    isUnsigned: true,
    talk: `error[plan-stale] domain 7 of example.com was replaced by domain 1\n  Nothing was written. ${anew}\n`,
  },
  {
    what: "an older plan, of the push before",
    forge: async (desk) => {
      desk.write(zone, after.replace("  api: { A: 192.0.2.80 }\n", ""));
      await desk.run("plan --out plan.json");
      desk.write(zone, after.replace("192.0.2.80", "192.0.2.81"));
    },
    isUnsigned: true,
    talk: `error[plan-effects] api.example.com A: changing 192.0.2.80 to 192.0.2.81 (the zone's TTL 3600) is not approved\n  zones/example.com.yaml:5:13\n    5 |   api: { A: 192.0.2.81 }\n      |             ^^^^^^^^^^\n  plan.json approves deleting 192.0.2.80 (the zone's TTL 3600). Nothing was written. Plan these files with \`zonewright plan --out FILE\`, have that plan approved, and run \`zonewright apply FILE\`.\n`,
  },
  {
    what: "a plan with another config, which ignores a record",
    forge: async (desk) => {
      desk.write("zonewright.yaml", "ignore:\n  - { name: old, reason: tests }\n");
      await desk.run("plan --out plan.json");
      rmSync(join(desk.folder, "zonewright.yaml"));
    },
    isUnsigned: true,
    talk: "error[plan-effects] old.example.com A: deleting 192.0.2.44 (the zone's TTL 3600) is not approved\n  Nothing was written. Plan these files with `zonewright plan --out FILE`, have that plan approved, and run `zonewright apply FILE`.\n",
  },
])("refuses $what", async ({ forge, talk, code = 4, isUnsigned }) => {
  const desk = await apiDesk({ [zone]: before });
  desk.env.ZONEWRIGHT_SIGNING_KEY = pem(own.privateKey);
  desk.secrets.push(...pem(own.privateKey).split("\n").slice(1, -2));
  desk.shown.push([keyId(own.publicKey), "OWN"], [keyId(other.publicKey), "OTHER"]);
  expect((await desk.run("apply --yes")).code).toBe(0);
  if (!isUnsigned) desk.env.ZONEWRIGHT_VERIFY_KEYS = pem(own.publicKey);
  rmSync(join(desk.folder, ".zonewright"), { recursive: true, force: true });
  desk.write(zone, after);
  expect((await desk.run("plan --out plan.json --sign")).code).toBe(0);
  desk.shown.push([String(read(desk).target.account), "ACCOUNT"]);
  await forge(desk);
  desk.writes.length = 0;
  const flags = isUnsigned ? "" : "--require-signature";
  expect(await desk.run(`apply plan.json --yes ${flags}`)).toEqual({ code, out: "", talk });
  expect(desk.writes).toEqual([]);
});
