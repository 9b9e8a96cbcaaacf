import { execFileSync, spawnSync } from "node:child_process";
import { generateKeyPairSync, type KeyObject } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { isMissing } from "../judges.ts";
import { after, planned } from "./reviewed.ts";
import { type ApiDesk, lines } from "./run.ts";

const judged = test.skipIf(isMissing("openssl", "python3"));
const pem = (key: KeyObject) =>
  key.export({ type: key.type === "private" ? "pkcs8" : "spki", format: "pem" }).toString();
const own = generateKeyPairSync("ed25519");
const other = generateKeyPairSync("ed25519");

/** A desk whose environment has the keys, and a signed plan. */
async function signed(verifyKeys = pem(own.publicKey)): Promise<ApiDesk> {
  const desk = await planned();
  Object.assign(desk.env, { ZONEWRIGHT_SIGNING_KEY: pem(own.privateKey), ZONEWRIGHT_VERIFY_KEYS: verifyKeys });
  desk.secrets.push(...pem(own.privateKey).split("\n").slice(1, -2));
  const { code, talk } = await desk.run("plan --out plan.json --sign");
  const { key } = JSON.parse(desk.read("plan.json")).signature;
  expect({ code, talk }).toEqual({ code: 0, talk: `the plan file is signed with the key ${key}\n` });
  desk.shown.push([key, "OWN"]);
  return desk;
}

/** The first line of the newest journal. */
function begin(desk: ApiDesk): Record<string, unknown> {
  const [, text = ""] = Object.entries(desk.files()).findLast(([name]) => name.endsWith("journal.jsonl")) ?? [];
  return JSON.parse(text.split("\n")[0] ?? "");
}

describe("a signed plan is applied with --require-signature", () => {
  test("and approves its effects; the journal has the key's id and no key", async () => {
    const desk = await signed();
    const { code, out } = await desk.run("apply plan.json --require-signature --yes");
    expect({ code, notes: out.match(/^note .*$/gm) }).toEqual({
      code: 0,
      notes: ["note  plan.json approves all 2 changes (signed with the key OWN)"],
    });
    const { nonce, effectDigest, planDigest, signature } = JSON.parse(desk.read("plan.json"));
    expect(begin(desk).approvedPlans).toEqual([{ nonce, effectDigest, planDigest, signedBy: signature.key }]);
    const texts = Object.values(desk.files()).join();
    for (const secret of desk.secrets) expect(texts).not.toContain(secret);
  });

  test("with one of several trusted keys, such as during a rotation", async () => {
    const desk = await signed(`${pem(other.publicKey)}${pem(own.publicKey)}`);
    expect((await desk.run("apply plan.json --require-signature --yes")).code).toBe(0);
  });
});

test("without trusted keys and without --require-signature, a signature is not checked", async () => {
  const desk = await signed("");
  const { code, out } = await desk.run("apply plan.json --yes");
  expect({ code, notes: out.match(/^note .*$/gm) }).toEqual({
    code: 0,
    notes: ["note  plan.json approves all 2 changes"],
  });
});

test("with trusted keys, a signature is required without --require-signature", async () => {
  const desk = await planned();
  desk.env.ZONEWRIGHT_VERIFY_KEYS = pem(generateKeyPairSync("ed25519").publicKey);
  for (const words of ["apply plan.json --yes"]) {
    const { code, talk } = await desk.run(words);
    expect([code, talk.split("\n")[0]]).toEqual([4, "error[plan-signature] plan.json is not signed"]);
  }
  expect((await desk.run("apply --yes")).talk).toContain("error: signatures are required");
  expect(desk.writes).toEqual([]);
});

test("with trusted keys, a wrong signature is refused even if none is required", async () => {
  const desk = await signed(pem(other.publicKey));
  const { code, talk } = await desk.run("apply plan.json --yes");
  expect({ code, talk: talk.replace(/trusted: \w{16}/, "trusted: OTHER") }).toEqual({
    code: 4,
    talk: lines`
      error[plan-signature] plan.json is signed with the key OWN, which is not trusted (trusted: OTHER)
        Make a new plan with ${"`"}zonewright plan --out FILE --sign${"`"}, where the trusted signing key is set.
    `,
  });
  expect(desk.writes).toEqual([]);
});

judged("openssl makes the keys and verifies the signature, over octets made by another program", async () => {
  const desk = await planned();
  const run = (program: string, ...args: string[]) =>
    execFileSync(program, args, { cwd: desk.folder, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
  run("openssl", "genpkey", "-algorithm", "ed25519", "-out", "key.pem");
  run("openssl", "pkey", "-in", "key.pem", "-pubout", "-out", "public.pem");
  desk.env.ZONEWRIGHT_SIGNING_KEY = desk.read("key.pem");
  desk.write("zones/example.com.yaml", `${after}  bücher: { TXT: "grüße \\u007f 😀" }\n`);
  expect((await desk.run("plan --out plan.json --sign")).code).toBe(0);
  // Python sorts by code points and RFC 8785 by UTF-16 units: the same for the keys of a plan, which are ASCII.
  const script = lines`
    import json, base64
    plan = json.load(open("plan.json"))
    signature = plan.pop("signature")
    del plan["planDigest"]
    text = json.dumps(plan, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    open("octets", "wb").write(text.encode())
    open("signature", "wb").write(base64.b64decode(signature["value"]))
    print(signature["key"])
  `;
  const key = run("python3", "-c", script).trim();
  run("openssl", "pkey", "-in", "key.pem", "-pubout", "-outform", "DER", "-out", "public.der");
  expect(run("openssl", "dgst", "-sha256", "-r", "public.der").slice(0, 16)).toBe(key);
  const verify = ["pkeyutl", "-verify", "-pubin", "-inkey", "public.pem", "-rawin", "-in", "octets", "-sigfile"];
  expect(run("openssl", ...verify, "signature")).toBe("Signature Verified Successfully\n");
  const octets = readFileSync(join(desk.folder, "octets"));
  octets[100] = (octets[100] ?? 0) ^ 1;
  writeFileSync(join(desk.folder, "octets"), octets);
  const refused = spawnSync("openssl", [...verify, "signature"], { cwd: desk.folder, encoding: "utf8" });
  expect([refused.status, refused.stdout]).toEqual([1, "Signature Verification Failure\n"]);
});

const make = "Make a key with `openssl genpkey -algorithm ed25519 -out key.pem`.";
const set = 'Set it to the text of the file, with its lines: `export ZONEWRIGHT_SIGNING_KEY="$(cat key.pem)"`.';
const setPublic =
  'Set it to the public key, with its lines: `export ZONEWRIGHT_VERIFY_KEYS="$(openssl pkey -in key.pem -pubout)"`.';
const rsa = generateKeyPairSync("rsa", { modulusLength: 2048 });
const ec = generateKeyPairSync("ec", { namedCurve: "P-256" });
const ed448 = generateKeyPairSync("ed448");
const encrypted = own.privateKey
  .export({ type: "pkcs8", format: "pem", cipher: "aes-256-cbc", passphrase: "secret" })
  .toString();

describe("a wrong signing key", () => {
  test.each<[string, string | undefined, string, string]>([
    ["none", undefined, "is not set: --sign needs a private key", `${make} ${set}`],
    ["an empty one", " ", "is not set: --sign needs a private key", `${make} ${set}`],
    ["a path", "key.pem", "is not a private key in PEM format", set],
    ["line ends as \\n", pem(own.privateKey).replaceAll("\n", "\\n"), "is not a private key in PEM format", set],
    ["quotes", JSON.stringify(pem(own.privateKey)), "is not a private key in PEM format", set],
    ["Base64 alone", pem(own.privateKey).split("\n")[1], "is not a private key in PEM format", set],
    ["a truncated one", pem(own.privateKey).slice(0, -30), "is not a private key in PEM format", set],
    ["the public one", pem(own.publicKey), "is a public key: --sign needs the private one", set],
    [
      "an encrypted one",
      encrypted,
      "is encrypted with a passphrase",
      "Decrypt it with `openssl pkey -in key.pem -out plain.pem`, and set it to the text of plain.pem.",
    ],
    [
      "one of ssh-keygen",
      "-----BEGIN OPENSSH PRIVATE KEY-----\nAAAA\n-----END OPENSSH PRIVATE KEY-----\n",
      "is in the format of OpenSSH",
      make,
    ],
    ["RSA", pem(rsa.privateKey), "is a key for rsa: plans are signed with ed25519", make],
    ["EC", pem(ec.privateKey), "is a key for ec: plans are signed with ed25519", make],
    ["ed448", pem(ed448.privateKey), "is a key for ed448: plans are signed with ed25519", make],
  ])("%s", async (_, value, what, fix) => {
    const desk = await planned();
    if (value?.includes("PRIVATE")) desk.secrets.push(value);
    expect(await desk.run("plan --out signed.json --sign", { env: { ZONEWRIGHT_SIGNING_KEY: value } })).toEqual({
      code: 3,
      out: "",
      talk: `error[signing-key] ZONEWRIGHT_SIGNING_KEY ${what}\n  ${fix}\n`,
    });
    expect(Object.keys(desk.files())).not.toContain("signed.json");
  });
});

describe("wrong trusted keys", () => {
  test.each<[string, string | undefined, string, string]>([
    ["none", undefined, "is not set: --require-signature needs the public keys to trust", setPublic],
    ["a path", "public.pem", "does not consist of public keys in PEM format", setPublic],
    ["an id", "0123456789abcdef", "does not consist of public keys in PEM format", setPublic],
    [
      "text between keys",
      `${pem(own.publicKey)},${pem(other.publicKey)}`,
      "does not consist of public keys in PEM format",
      setPublic,
    ],
    [
      "a broken one beside a valid one",
      `${pem(own.publicKey)}${pem(other.publicKey).replace("MCow", "MCox")}`,
      "does not consist of public keys in PEM format",
      setPublic,
    ],
    ["the private one", pem(own.privateKey), "contains a private key: it needs only public keys", setPublic],
    ["RSA", pem(rsa.publicKey), "has a key for rsa: plans are signed with ed25519", make],
  ])("%s", async (_, value, what, fix) => {
    const desk = await signed();
    if (value?.includes("PRIVATE")) desk.secrets.push(value);
    const env = { ZONEWRIGHT_VERIFY_KEYS: value };
    expect(await desk.run("apply plan.json --require-signature --yes", { env })).toEqual({
      code: 3,
      out: "",
      talk: `error[signing-key] ZONEWRIGHT_VERIFY_KEYS ${what}\n  ${fix}\n`,
    });
  });
});

judged("the advice of these errors works in a shell", async () => {
  const desk = await planned();
  const sh = (script: string) =>
    execFileSync("sh", ["-ec", script], { cwd: desk.folder, encoding: "utf8", stdio: "pipe" });
  const [, makeKey = ""] = /`(.*)`/.exec(make) ?? [];
  const [, setKey = ""] = /`(.*)`/.exec(set) ?? [];
  const [, setKeys = ""] = /`(.*)`/.exec(setPublic) ?? [];
  desk.env.ZONEWRIGHT_SIGNING_KEY = sh(`${makeKey}\n${setKey}\nprintenv ZONEWRIGHT_SIGNING_KEY`);
  desk.env.ZONEWRIGHT_VERIFY_KEYS = sh(`${setKeys}\nprintenv ZONEWRIGHT_VERIFY_KEYS`);
  expect((await desk.run("plan --out plan.json --sign")).code).toBe(0);
  desk.write("key.pem", encrypted);
  sh("openssl pkey -in key.pem -out plain.pem -passin pass:secret");
  expect(desk.read("plain.pem")).toBe(pem(own.privateKey));
  expect((await desk.run("apply plan.json --require-signature --yes")).code).toBe(0);
});

test.each([
  ["plan --sign", "error: --sign signs a plan file: add --out FILE, or --report json.\n"],
  [
    "apply --require-signature --yes",
    "error: signatures are required (--require-signature, or ZONEWRIGHT_VERIFY_KEYS is set), and only plan files have them: name a plan file.\n",
  ],
  [
    "apply --require-signature --yes example.com",
    "error: signatures are required (--require-signature, or ZONEWRIGHT_VERIFY_KEYS is set), and only plan files have them: name a plan file.\n",
  ],
])("%s is a usage error", async (command, talk) => {
  const desk = await signed();
  expect(await desk.run(command)).toEqual({ code: 64, out: "", talk });
  expect(desk.writes).toEqual([]);
});

test("a missing token is not looked for in the signing key", async () => {
  const desk = await signed();
  const { talk } = await desk.run("plan", { env: { ZONEWRIGHT_TOKEN: undefined } });
  expect(talk).toBe(lines`
    error[token-missing] no API token is set
      Set ZONEWRIGHT_TOKEN, or ZONEWRIGHT_TOKEN_FILE to a file that contains it. ${"`"}zonewright serve${"`"} prints one at its first start.
  `);
});
