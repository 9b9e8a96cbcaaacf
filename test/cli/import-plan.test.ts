import fc from "fast-check";
import { expect, test } from "vitest";
import { samples, seed } from "../properties.ts";
import { apiDesk, lines } from "./run.ts";

const name = fc.constantFrom("", "www", "WWW", "*", "a.b", "_dmarc", "xn--bcher-kva", "1", "null", "mail");
/** A target of one label is an error of a plan, unless the import makes it `lenient` (`target-one-label`). */
const host = fc.constantFrom("www.example.net", "mail", "MAIL.example.org", "xn--bcher-kva.example");
const ttl_sec = fc.constantFrom(0, 300, 3600, 604800);
const text = fc.oneof(
  fc.constantFrom("v=spf1 -all", "a; b", 'say "x"', "back\\slash", "é", "a".repeat(300), "@", "yes", "# no"),
  fc.string({ unit: fc.constantFrom(..."ab \"\\;()@$.:#'{}[],&*!|>%~?é"), minLength: 1, maxLength: 40 }),
);
const port = fc.nat(65535);

/** Records as clients send them. The API refuses some, such as a CNAME beside others. */
const record = fc.oneof(
  fc.record({ type: fc.constant("A"), name, target: fc.constantFrom("192.0.2.1", "192.0.2.2"), ttl_sec }),
  fc.record({ type: fc.constant("AAAA"), name, target: fc.constantFrom("2001:db8::1", "2001:DB8:0::2"), ttl_sec }),
  fc.record({ type: fc.constant("TXT"), name, target: text, ttl_sec }),
  fc.record({ type: fc.constant("MX"), name, target: host, priority: fc.nat(255), ttl_sec }),
  fc.record({ type: fc.constant("CNAME"), name, target: host, ttl_sec }),
  fc.record({ type: fc.constant("NS"), name, target: host, ttl_sec }),
  fc.record({ type: fc.constant("CAA"), name, tag: fc.constantFrom("issue", "issuewild"), target: host, ttl_sec }),
  fc.record({
    type: fc.constant("SRV"),
    service: fc.constantFrom("sip", "_ldap"),
    protocol: fc.constantFrom("tcp", "udp"),
    target: host,
    priority: fc.nat(255),
    weight: port,
    port,
    ttl_sec,
  }),
);

const settings = fc.record(
  {
    soa_email: fc.constantFrom("hostmaster@example.com", "john.doe@example.net"),
    description: text.filter(({ length }) => length <= 255),
    tags: fc.subarray(["prod", "web", "a b"]),
    group: fc.constantFrom("shop", ""),
    status: fc.constantFrom("active", "disabled"),
    axfr_ips: fc.subarray(["192.0.2.3", "2001:db8::3"]),
    ttl_sec,
    refresh_sec: fc.constantFrom(0, 14400),
    retry_sec: fc.constantFrom(0, 3600),
    expire_sec: fc.constantFrom(0, 1209600),
  },
  { requiredKeys: ["soa_email"] },
);

/**
 * Each set with one TTL, and each record once: an import says where it changes such sets, and a plan then repairs them.
 */
const records = fc.array(record, { maxLength: 12 }).map((list) => {
  const ttls = new Map<string, number>();
  const once = new Map<string, object>();
  for (const record of list) {
    const { ttl_sec, ...rest } = record;
    const set = "name" in record ? `${record.type} ${record.name}` : `SRV ${record.service} ${record.protocol}`;
    const key = set.toLowerCase();
    if (!ttls.has(key)) ttls.set(key, ttl_sec);
    const text = JSON.stringify(rest).replace("2001:DB8:0::2", "2001:db8::2");
    once.set(record.type === "TXT" ? text : text.toLowerCase(), { ...rest, ttl_sec: ttls.get(key) });
  }
  return [...once.values()];
});

const domain = fc.record({ settings, records });

test.each(["yaml", "bind"])("after import api --to %s, the plan for any account is empty", async (format) => {
  const desk = await apiDesk();
  const domains = fc.sample(domain, { numRuns: samples(60).numRuns, seed });
  let stored = 0;
  for (const [index, { settings, records }] of domains.entries()) {
    const sent = { type: "master", domain: `zone${index}.example`, ...settings };
    const { id } = (await desk.call("POST", "/domains", sent)) as { id: number };
    for (const record of records) {
      stored += await desk.call("POST", `/domains/${id}/records`, record).then(
        () => 1,
        () => 0,
      );
    }
  }
  // A run that stores nothing would show nothing.
  expect(stored).toBeGreaterThan(domains.length * 2);
  const imported = await desk.run(`import api --to ${format}`);
  expect([imported.code, imported.talk.split("\n").at(-2)]).toEqual([
    0,
    `${domains.length} zones written, 0 unchanged, 0 skipped`,
  ]);
  expect(await desk.run("plan")).toMatchObject({ code: 0, out: `in sync: ${domains.length} zones, nothing to do\n` });
});

test("import api makes a rule lenient that a live record breaks, so the plan is empty", async () => {
  const desk = await apiDesk();
  await desk.call("POST", "/domains", { type: "master", domain: "example.com", soa_email: "hostmaster@example.com" });
  await desk.call("POST", "/domains/1/records", { type: "MX", name: "www", target: "mail", priority: 10 });
  expect((await desk.run("import api --to bind")).code).toBe(0);
  expect(desk.read("zones/example.com.zone").match(/^;@ lenient.*|^www.*/gm)).toEqual([
    ";@ lenient www: target-one-label",
    "www IN MX  10 mail.",
  ]);
  expect(await desk.run("plan")).toMatchObject({ code: 0, out: "in sync: 1 zone, nothing to do\n" });
  const { code, out, talk } = await desk.run("validate");
  expect([code, `${out}${talk}`.match(/^(?:error|warning).*/gm)]).toEqual([
    0,
    ['warning[target-one-label] www MX points to the top-level domain "mail."'],
  ]);
});

test.each(["yaml", "bind"])(
  "after import api into existing files (%s), no live data is an error of the plan",
  async (format) => {
    const desk = await apiDesk();
    const ending = { yaml: "yaml", bind: "zone" }[format];
    const domains = fc.sample(fc.tuple(domain, domain), { numRuns: samples(30).numRuns, seed });
    const send = async (id: number, list: readonly object[]) => {
      let stored = 0;
      for (const record of list)
        stored += await desk.call("POST", `/domains/${id}/records`, record).then(
          () => 1,
          () => 0,
        );
      return stored;
    };
    const ids: number[] = [];
    for (const [index, [{ settings, records }]] of domains.entries()) {
      const sent = { type: "master", domain: `zone${index}.example`, ...settings };
      const { id } = (await desk.call("POST", "/domains", sent)) as { id: number };
      ids.push(id);
      await send(id, records);
    }
    expect((await desk.run(`import api --to ${format}`)).code).toBe(0);
    const before = domains.map((_, index) => desk.read(`zones/zone${index}.example.${ending}`));
    let stored = 0;
    for (const [index, [, { records }]] of domains.entries()) {
      const id = ids[index] ?? 0;
      const { data } = await desk.call("GET", `/domains/${id}/records?page_size=500`);
      // Half of the records go, so that names with `lenient` lose and keep theirs.
      for (const record of data.filter((_: object, at: number) => at % 2 === 0))
        await desk.call("DELETE", `/domains/${id}/records/${record.id}`);
      stored += await send(id, records);
    }
    expect(stored).toBeGreaterThan(domains.length);
    expect((await desk.run("import api --yes")).code).toBe(0);
    const after = domains.map((_, index) => desk.read(`zones/zone${index}.example.${ending}`));
    const lenient = (texts: readonly string[]) => texts.join("").match(/lenient/g)?.length ?? 0;
    expect(lenient(after)).toBeGreaterThan(lenient(before));
    const { code, out, talk } = await desk.run("plan");
    expect([`${out}${talk}`.match(/^error.*/gm), code]).toEqual([null, 0]);
  },
);

const existing: { what: string; files: Record<string, string>; after: Record<string, string>; notes: string[] }[] = [
  {
    what: "YAML",
    files: {
      "zones/example.com.yaml": lines`
        soa_email: hostmaster@example.com
        ttl_sec: 1d
        records:
          www: # where people look
            # the shop
            A: 192.0.2.1
      `,
    },
    after: {
      "zones/example.com.yaml": lines`
        soa_email: hostmaster@example.com
        ttl_sec: 1d
        records:
          www: # where people look
            lenient: [target-one-label]
            # the shop
            A: 192.0.2.1
            MX: 10 mail.
          "@":
            lenient: [target-one-label]
            MX: 10 mail.
      `,
    },
    notes: [],
  },
  {
    what: "BIND",
    files: {
      "zones/example.com.zone": lines`
        ; The shop.
        $TTL 1d
        @ SOA ns1.example.net. hostmaster 1 4h 4h 2w 1d
        www A 192.0.2.1 ; where people look
      `,
    },
    after: {
      "zones/example.com.zone": lines`
        ; The shop.
        ;@ lenient @: target-one-label
        ;@ lenient www: target-one-label
        $TTL 1d
        @ SOA ns1.example.net. hostmaster 1 4h 4h 2w 1d
        @ MX 10 mail.
        www A 192.0.2.1 ; where people look
        www MX 10 mail.
      `,
    },
    notes: [],
  },
  {
    what: "a file that has the record and not the entry",
    files: {
      "zones/example.com.yaml": lines`
        soa_email: hostmaster@example.com
        ttl_sec: 1d
        records:
          "@": { MX: 10 mail., lenient: target-one-label }
          www:
            MX: 10 mail.
            A: 192.0.2.1
      `,
    },
    after: {
      "zones/example.com.yaml": lines`
        soa_email: hostmaster@example.com
        ttl_sec: 1d
        records:
          "@": { MX: 10 mail., lenient: target-one-label }
          www:
            lenient: [target-one-label]
            MX: 10 mail.
            A: 192.0.2.1
      `,
    },
    notes: [],
  },
  {
    what: "an included file, which stays",
    files: {
      "zones/example.com.zone": lines`
        $TTL 1d
        @ SOA ns1.example.net. hostmaster 1 4h 4h 2w 1d
        $INCLUDE www.inc
      `,
      "zones/www.inc": lines`
        www A 192.0.2.1
        www MX 10 mail.
      `,
    },
    after: {
      "zones/example.com.zone": lines`
        ;@ lenient @: target-one-label
        $TTL 1d
        @ SOA ns1.example.net. hostmaster 1 4h 4h 2w 1d
        @ IN MX 10 mail.
        $INCLUDE www.inc
      `,
    },
    notes: [
      "note  www breaks the rule target-one-label, and its records are in zones/www.inc: write `lenient` for the rule there, or in zones/example.com.zone",
    ],
  },
  {
    what: "a template, which stays",
    files: {
      "zones/example.com.yaml": lines`
        soa_email: hostmaster@example.com
        ttl_sec: 1d
        templates: [web]
        records: { "@": { MX: 10 mail. } }
      `,
      "templates/web.yaml": lines`
        records:
          www: { A: 192.0.2.1, MX: 10 mail. }
      `,
    },
    after: {
      "zones/example.com.yaml": lines`
        soa_email: hostmaster@example.com
        ttl_sec: 1d
        templates: [web]
        records: { "@": { lenient: [target-one-label], MX: 10 mail. } }
      `,
    },
    notes: [
      "note  www breaks the rule target-one-label, and its records are in templates/web.yaml: write `lenient` for the rule there, or in zones/example.com.yaml",
    ],
  },
];

test.each(existing)("import api makes rules lenient in existing files: $what", async ({ files, after, notes }) => {
  const desk = await apiDesk(files);
  const settings = { soa_email: "hostmaster@example.com", ttl_sec: 86400 };
  await desk.call("POST", "/domains", { type: "master", domain: "example.com", ...settings });
  for (const name of ["", "www"])
    await desk.call("POST", "/domains/1/records", { type: "MX", name, target: "mail", priority: 10 });
  await desk.call("POST", "/domains/1/records", { type: "A", name: "www", target: "192.0.2.1" });
  const { code, talk } = await desk.run("import api --yes");
  expect([code, talk.match(/^note.*/gm) ?? []]).toEqual([0, notes]);
  expect(Object.fromEntries(Object.keys(files).map((file) => [file, desk.read(file)]))).toEqual({ ...files, ...after });
  const plan = await desk.run("plan");
  const atWww = ['error[target-one-label] www MX points to the top-level domain "mail."'];
  expect([plan.code, `${plan.out}${plan.talk}`.match(/^error.*/gm)]).toEqual(notes.length > 0 ? [3, atWww] : [0, null]);
  expect((await desk.run("import api --yes")).talk.split("\n").at(-2)).toBe("0 zones written, 1 unchanged, 0 skipped");
});
