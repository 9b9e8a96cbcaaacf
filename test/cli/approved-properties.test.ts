// @suite long

import { rmSync } from "node:fs";
import { join } from "node:path";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { guards } from "../../src/planner/blocks/guards.ts";
import { samples } from "../properties.ts";
import { type ApiDesk, apiDesk } from "./run.ts";

/** The records of a name and type: one or both of two values, with a TTL of their own or the zone's. */
interface Rrset {
  readonly values: readonly string[];
  readonly ttl: number | undefined;
}

/** A zone file: the zone's default TTL, and RRsets by `name type`. */
interface ZoneFile {
  readonly ttl: number;
  readonly rrsets: Readonly<Record<string, Rrset>>;
}

/** Zone files by zone. */
type Repository = Readonly<Record<string, ZoneFile>>;

const zoneNames = ["example.com", "example.net"];
const data: Readonly<Record<string, readonly [string, string]>> = {
  "www A": ["192.0.2.1", "192.0.2.2"],
  "api A": ["192.0.2.3", "192.0.2.4"],
  "api TXT": ['"one"', '"two"'],
  "@ MX": ["10 mail.example.org.", "20 mail.example.org."],
};
const keys = Object.keys(data);

/** With two values at most, a changed RRset has one reading: what is left is one change, creates or deletes. */
const rrset = fc
  .record({ picks: fc.tuple(fc.boolean(), fc.boolean()), ttl: fc.constantFrom(undefined, 300, 3600) })
  .map(({ picks, ttl }) => ({ picks, ttl }));
const zoneFile = fc
  .record({ ttl: fc.constantFrom(3600, 7200), sets: fc.tuple(rrset, rrset, rrset, rrset) })
  .map(({ ttl, sets }): ZoneFile => {
    const rrsets = sets.map(({ picks, ttl }, index) => {
      const key = keys[index] ?? "";
      return [key, { ttl, values: (data[key] ?? []).filter((_, number) => picks[number]) }] as const;
    });
    return { ttl, rrsets: Object.fromEntries(rrsets.filter(([, { values }]) => values.length > 0)) };
  });
const repository = fc
  .record({ files: fc.tuple(zoneFile, zoneFile), count: fc.constantFrom(1, 2, 2, 2) })
  .map(
    ({ files, count }): Repository =>
      Object.fromEntries(zoneNames.slice(0, count).map((name, n) => [name, files[n] as ZoneFile])),
  );

/** Parts of several repositories: for each zone and RRset, the number of the one that it is from. */
function merge(sources: readonly Repository[], picks: readonly number[]): Repository {
  let next = 0;
  const pick = <T>(choices: readonly T[]): T => choices[(picks[next++] ?? 0) % choices.length] as T;
  return Object.fromEntries(
    zoneNames.flatMap((name) => {
      const files = sources.map((source) => source[name]);
      const whole = pick(files);
      if (whole === undefined) return [];
      const { ttl } = pick(files) ?? whole;
      const rrsets = keys.flatMap((key) => {
        const found = (pick(files) ?? whole).rrsets[key];
        return found ? [[key, found] as const] : [];
      });
      return [[name, { ttl, rrsets: Object.fromEntries(rrsets) }] as const];
    }),
  );
}

function yaml({ ttl, rrsets }: ZoneFile): string {
  const names = [...new Set(Object.keys(rrsets).map((key) => key.split(" ")[0]))];
  const lines = names.map((name) => {
    const sets = Object.entries(rrsets).filter(([key]) => key.split(" ")[0] === name);
    const texts = sets.map(([key, set]) => {
      const ttlText = set.ttl === undefined ? "" : `ttl_sec: ${set.ttl}, `;
      return `${key.split(" ")[1]}: { ${ttlText}values: [${set.values.map((value) => `'${value}'`).join(", ")}] }`;
    });
    return `  "${name}": { ${texts.join(", ")} }\n`;
  });
  const records = lines.length > 0 ? `records:\n${lines.join("")}` : "records: {}\n";
  return `soa_email: hostmaster@example.org\nttl_sec: ${ttl}\n${records}`;
}

interface Effect {
  readonly text: string;
  readonly kind: "zone" | "change" | "delete" | "create";
  /** The zone, and its name and type. */
  readonly zone: string;
  readonly key: string;
  /** The value that is there afterwards, or that is deleted. */
  readonly value: string;
  /** The value that another one replaces. */
  readonly old?: string;
}

/** Everything that a repository would change in live zones, computed by hand. */
function effectsOf(wanted: Repository, live: Repository): Effect[] {
  return Object.entries(wanted).flatMap(([zone, file]) => {
    const now = live[zone];
    const before = now?.ttl ?? file.ttl;
    const ofZone =
      now === undefined
        ? [`${zone} is created`, `${zone} soa_email is set`, `${zone} ttl_sec is set to ${file.ttl}`]
        : now.ttl === file.ttl
          ? []
          : [`${zone} ttl_sec becomes ${file.ttl} instead of ${now.ttl}`];
    const ttlText = ({ ttl }: Rrset, usual: number) => (ttl === undefined ? `default ${usual}` : String(ttl));
    const ofRecords = keys.flatMap((key) => {
      const [old, next] = [now?.rrsets[key], file.rrsets[key]];
      const gone = old?.values.filter((value) => !next?.values.includes(value)) ?? [];
      const made = next?.values.filter((value) => !old?.values.includes(value)) ?? [];
      const kept = old?.values.filter((value) => next?.values.includes(value)) ?? [];
      const from = (value: string) => (old ? `${value} (${ttlText(old, before)})` : "");
      const to = (value: string) => (next ? `${value} (${ttlText(next, file.ttl)})` : "");
      const isSameTtl = old && next && (old.ttl ?? file.ttl) === (next.ttl ?? file.ttl);
      const effect = (kind: Effect["kind"], value: string, text: string): Effect => ({
        text: `${zone} ${key}: ${text}`,
        kind,
        zone,
        key,
        value,
      });
      const changed = isSameTtl ? [] : kept.map((value) => effect("change", value, `${from(value)} to ${to(value)}`));
      const isPair = gone.length === 1 && made.length === 1;
      const [left = "", right = ""] = [gone[0], made[0]];
      const others = isPair
        ? [{ ...effect("change", right, `${from(left)} to ${to(right)}`), old: left }]
        : [
            ...gone.map((value) => effect("delete", value, `${from(value)} is deleted`)),
            ...made.map((value) => effect("create", value, `${to(value)} is created`)),
          ];
      return [...changed, ...others];
    });
    return [...ofZone.map((text): Effect => ({ text, kind: "zone", zone, key: "", value: "" })), ...ofRecords];
  });
}

/**
 * The effects that no single approval includes. Deletes and creates at one name, and deletes and changes of one RRset,
 * are approved together, and so are the parts of a move: each of them needs the others to be planned or in place.
 */
function unapproved(effects: readonly Effect[], approvals: readonly (readonly Effect[])[], now: Repository): Effect[] {
  const planned = new Set(effects.map(({ text }) => text));
  const isInPlace = ({ kind, zone, key, value }: Effect) =>
    (now[zone]?.rrsets[key]?.values.includes(value) ?? false) !== (kind === "delete");
  const admits = (approval: readonly Effect[], effect: Effect) =>
    partsOf(effect, approval).every((part) => planned.has(part.text) || isInPlace(part));
  return effects.filter(
    (effect) =>
      !approvals.some((approval) => approval.some(({ text }) => text === effect.text) && admits(approval, effect)),
  );
}

/**
 * The files with the edits that are kept: where a zone is as one of the plans wanted it, RRsets that no plan changes
 * stay as they are. An edit of an RRset or name that a plan changes as well is a conflict.
 */
function keepEdits(
  wanted: Repository,
  now: Repository,
  planned: readonly Repository[],
  approvals: readonly (readonly Effect[])[],
): { files: Repository; conflicts: number } {
  const textOf = (zone: ZoneFile | undefined) => JSON.stringify(zone && [zone.ttl, Object.entries(zone.rrsets).sort()]);
  let conflicts = 0;
  const files = Object.entries(wanted).map(([zone, file]) => {
    const live = now[zone];
    if (live === undefined || !planned.some((one) => textOf(one[zone]) === textOf(file))) return [zone, file] as const;
    const own = approvals.flat().filter((one) => one.zone === zone);
    const rrsets = { ...file.rrsets };
    const others = effectsOf({ [zone]: file }, { [zone]: live }).filter(
      ({ text }) => !own.some((one) => one.text === text),
    );
    for (const { key } of others) {
      const [name = "", type = ""] = key.split(" ");
      const isInTheWay = own.some((one) => {
        const [otherName, otherType] = one.key.split(" ");
        return otherName === name && (otherType === type || otherType === "CNAME" || type === "CNAME");
      });
      if (isInTheWay) conflicts++;
      const stored = live.rrsets[key];
      if (stored) rrsets[key] = stored;
      else delete rrsets[key];
    }
    return [zone, { ...file, rrsets }] as const;
  });
  return { files: Object.fromEntries(files), conflicts };
}

/** The values of a type that leave one place and arrive at another, in any zone: the effects of each are a move. */
function movesOf(approval: readonly Effect[]): Effect[][] {
  const typed = ({ key }: Effect, value: string) => `${key.split(" ")[1]} ${value}`;
  const leaving = (one: Effect) =>
    one.kind === "delete" ? [typed(one, one.value)] : one.old ? [typed(one, one.old)] : [];
  const arriving = (one: Effect) => (one.kind === "create" || one.old ? [typed(one, one.value)] : []);
  const values = new Set(
    approval.flatMap(leaving).filter((value) => approval.some((one) => arriving(one).includes(value))),
  );
  return [...values].map((value) => approval.filter((one) => [...leaving(one), ...arriving(one)].includes(value)));
}

/** The effects of an approval that belong together with one of them. */
function partsOf(effect: Effect, approval: readonly Effect[]): Effect[] {
  if (effect.kind === "zone") return [];
  const places = approval.filter(({ kind }) => kind !== "zone");
  const nameOf = ({ zone, key }: Effect) => `${zone} ${key.split(" ")[0]}`;
  const swaps = places.flatMap((one) => [
    places.filter((other) => nameOf(other) === nameOf(one) && other.kind !== "change"),
    places.filter((other) => other.zone === one.zone && other.key === one.key),
  ]);
  const groups = [
    ...swaps.filter(
      (group) => group.some(({ kind }) => kind === "delete") && new Set(group.map(({ kind }) => kind)).size > 1,
    ),
    ...movesOf(places),
  ];
  const found = new Map([[effect.text, effect]]);
  for (let size = 0; size !== found.size; ) {
    size = found.size;
    for (const group of groups)
      if (group.some(({ text }) => found.has(text))) for (const one of group) found.set(one.text, one);
  }
  return [...found.values()];
}

/** The live zones as the API shows them. */
async function readLive(desk: ApiDesk): Promise<Repository> {
  const { data: domains } = await desk.call("GET", "/domains");
  const zones = domains.map(async ({ id, domain, ttl_sec }: { id: number; domain: string; ttl_sec: number }) => {
    const { data: records } = await desk.call("GET", `/domains/${id}/records?page_size=500`);
    const rrsets: Record<string, { values: string[]; ttl: number | undefined }> = {};
    for (const { name, type, target, ttl_sec, priority } of records) {
      const key = `${name || "@"} ${type}`;
      const value = type === "MX" ? `${priority} ${target}.` : type === "TXT" ? `"${target}"` : target;
      rrsets[key] ??= { values: [], ttl: ttl_sec || undefined };
      rrsets[key].values.push(value);
    }
    return [domain, { ttl: ttl_sec, rrsets }] as const;
  });
  return Object.fromEntries(await Promise.all(zones));
}

/** The zones without spelling: sorted values, and the TTLs that resolvers see. */
function meaning(zones: Repository): unknown {
  return Object.fromEntries(
    Object.entries(zones)
      .sort()
      .map(([zone, { ttl, rrsets }]) => {
        const sets = Object.entries(rrsets).sort();
        return [zone, ttl, sets.map(([key, set]) => [key, [...set.values].sort(), set.ttl ?? ttl])];
      }),
  );
}

function checkOut(desk: ApiDesk, files: Repository): void {
  rmSync(join(desk.folder, "zones"), { recursive: true, force: true });
  for (const [zone, file] of Object.entries(files)) desk.write(`zones/${zone}.yaml`, yaml(file));
}

const everything = `--allow ${guards.map(({ guard }) => guard).join(",")}`;

test("writes if and only if the approvals include every effect, and then the live zones equal the files", async () => {
  const outcomes = { applied: 0, refused: 0, empty: 0 };
  await fc.assert(
    fc.asyncProperty(
      repository,
      repository,
      repository,
      repository,
      fc.array(fc.nat(11), { minLength: 12, maxLength: 12 }),
      fc.option(fc.tuple(fc.constantFrom(...zoneNames), fc.constantFrom(...keys))),
      fc.option(fc.boolean()),
      async (live, a, b, other, picks, edit, isFirst) => {
        const desk = await apiDesk();
        desk.env.ZONEWRIGHT_TOKEN = await desk.mint({ scopes: "domains:read_write,events:read_only" });
        checkOut(desk, live);
        expect(await desk.run("apply --yes")).toMatchObject({ code: 0 });
        checkOut(desk, a);
        expect(await desk.run(`plan --out a.json ${everything}`)).toMatchObject({ code: 0 });
        checkOut(desk, b);
        expect(await desk.run(`plan --out b.json ${everything}`)).toMatchObject({ code: 0 });
        const now = await deleteRrset(desk, live, edit);
        // Most parts are from what is live or approved.
        const mixed = merge([now, a, b, a, b, now, a, b, now, a, b, other], picks);
        const merged = isFirst === null ? mixed : isFirst ? a : b;
        fc.pre(Object.keys(merged).length > 0);
        checkOut(desk, merged);
        const { files, conflicts } = keepEdits(merged, now, [a, b], [effectsOf(a, live), effectsOf(b, live)]);
        const left = effectsOf(files, now);
        const missing = unapproved(left, [effectsOf(a, live), effectsOf(b, live)], now);
        desk.writes.length = 0;
        const zones = Object.keys(merged).join(" ");
        const { code, talk } = await desk.run(`apply a.json b.json ${zones} --yes ${everything}`);
        if (conflicts > 0) {
          expect([code, talk.match(/^error\[[a-z-]+\]/gm)?.[0], desk.writes]).toEqual([4, "error[plan-stale]", []]);
          return;
        }
        const errors = talk.match(/^error\[plan-effects\]/gm) ?? [];
        const isMany = missing.length > 10;
        expect({ code, errors: errors.length }).toEqual({
          code: missing.length > 0 ? 4 : 0,
          errors: isMany ? 11 : missing.length,
        });
        if (missing.length > 0 || left.length === 0) expect(desk.writes).toEqual([]);
        const expected = missing.length > 0 ? now : { ...now, ...files };
        expect(meaning(await readLive(desk))).toEqual(meaning(expected));
        outcomes[missing.length > 0 ? "refused" : left.length > 0 ? "applied" : "empty"]++;
      },
    ),
    samples(40),
  );
  expect(outcomes.applied).toBeGreaterThan(0);
  expect(outcomes.refused).toBeGreaterThan(0);
}, 600_000);

/** Deletes an RRset by hand, if there is one. */
async function deleteRrset(desk: ApiDesk, live: Repository, edit: [string, string] | null): Promise<Repository> {
  const [zone = "", key = ""] = edit ?? [];
  const file = live[zone];
  if (!file?.rrsets[key]) return live;
  const { data: domains } = await desk.call("GET", "/domains");
  const { id } = domains.find(({ domain }: { domain: string }) => domain === zone);
  const { data: records } = await desk.call("GET", `/domains/${id}/records?page_size=500`);
  for (const record of records)
    if (`${record.name || "@"} ${record.type}` === key)
      await desk.call("DELETE", `/domains/${id}/records/${record.id}`);
  const { [key]: _, ...rrsets } = file.rrsets;
  return { ...live, [zone]: { ...file, rrsets } };
}
