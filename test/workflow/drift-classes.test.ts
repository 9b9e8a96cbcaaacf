import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { asName } from "../../src/dns/name/name.ts";
import { asId, type LiveRecord, type LiveZone } from "../../src/dns/zone/desired-live.ts";
import { canonical, type Zone, type ZoneRecord } from "../../src/dns/zone/zone.ts";
import type { SettingValue, ZoneSettings } from "../../src/dns/zone/zone-settings.ts";
import { accept } from "../../src/targets/api/accept.ts";
import { apiTimes, blankApiSettings } from "../../src/targets/api/settings.ts";
import { compareSides, type DriftDifference, type RecordDifference } from "../../src/workflow/drift/classes.ts";

/**
 * The oracle: what the contents of snapshot, git and live zone mean. Equal letters are equal contents, `-` is absence,
 * and the first content is x.
 */
const table: Readonly<Record<string, string>> = {
  "---": "same",
  xxx: "same",
  xyx: "pending",
  "x-x": "pending",
  "-x-": "pending",
  xxy: "drift",
  "xx-": "drift",
  xyy: "converged",
  "-xx": "converged",
  xyz: "conflict",
  "x-y": "conflict",
  "xy-": "conflict",
  "-xy": "conflict",
  "--x": "foreign",
  "x--": "removed",
};

function classOf(...contents: readonly (string | undefined)[]): string {
  const letters = new Map<string, string>();
  const pattern = contents.map((content) => {
    if (content === undefined) return "-";
    if (!letters.has(content)) letters.set(content, "xyz"[letters.size] as string);
    return letters.get(content);
  });
  return table[pattern.join("")] as string;
}

const zoneName = asName("example.com.");
const zoneTtl = 3600;

function fileZone(records: readonly ZoneRecord[], settings: ZoneSettings = {}): Zone {
  return { name: zoneName, settings: { ttl_sec: zoneTtl, ...settings }, records, places: {}, dotlessTargets: [] };
}

function liveZone(records: readonly ZoneRecord[], settings: Readonly<Record<string, SettingValue>> = {}): LiveZone {
  return {
    name: zoneName,
    id: asId(1),
    settings: { ...blankApiSettings, ttl_sec: zoneTtl, ...settings },
    defaultTimes: apiTimes,
    records: records.map((record, index): LiveRecord => ({ ...record, id: asId(index + 1) })),
  };
}

const desired = (zone: Zone) => accept(zone).desired;

interface Value {
  readonly text: number;
  readonly ttl: number | undefined;
}

/** Contents of an RRset with one record: an address and a TTL; 3600 is also that of the zone. */
const value: fc.Arbitrary<Value> = fc.record({
  text: fc.integer({ min: 1, max: 3 }),
  ttl: fc.constantFrom(undefined, 300, 3600),
});

function record(owner: string, { text, ttl }: Value): ZoneRecord {
  return { owner: asName(`${owner}.example.com.`), type: "A", ttl, data: { address: `192.0.2.${text}` } };
}

const contentOf = ({ text, ttl = zoneTtl }: Value) => `${ttl} 192.0.2.${text}`;

describe("classes of records", () => {
  const sets = fc.array(fc.tuple(fc.option(value), fc.option(value), fc.option(value)), { maxLength: 6 });

  test("equal the oracle where every side has at most one record of a name", () => {
    const seen = new Set<string>();
    fc.assert(
      fc.property(sets, (all) => {
        const side = (index: 0 | 1 | 2) =>
          all.flatMap((triple, at) => (triple[index] ? [record(`n${at}`, triple[index])] : []));
        const expected = all.flatMap((triple, at) => {
          const found = classOf(...triple.map((one) => (one ? contentOf(one) : undefined)));
          seen.add(found);
          return found === "same" ? [] : [`n${at} ${found}`];
        });
        const found = compareSides({
          snapshot: liveZone(side(0)),
          git: desired(fileZone(side(1))),
          live: liveZone(side(2)),
        });
        expect(found.map((one) => `${(one as RecordDifference).owner.split(".")[0]} ${one.class}`)).toEqual(expected);
      }),
      { numRuns: 1000 },
    );
    expect([...seen].sort()).toEqual([...new Set(Object.values(table))].sort());
  });

  test("without a snapshot, are differences of git and the live zone", () => {
    fc.assert(
      fc.property(fc.option(value), fc.option(value), (git, live) => {
        const found = compareSides({
          snapshot: "unknown",
          git: desired(fileZone(git ? [record("n", git)] : [])),
          live: liveZone(live ? [record("n", live)] : []),
        });
        const isSame = (git && contentOf(git)) === (live && contentOf(live));
        expect(found.map((one) => one.class)).toEqual(isSame ? [] : ["differs"]);
      }),
    );
  });

  const side = fc.uniqueArray(fc.record({ text: fc.integer({ min: 1, max: 6 }), ttl: fc.constant(undefined) }), {
    maxLength: 5,
    selector: ({ text }) => text,
  });

  test("pair the values of an RRset: none is lost, and no change is left in two halves", () => {
    fc.assert(
      fc.property(side, side, side, (snapshot, git, live) => {
        const records = (values: readonly Value[]) => values.map((one) => record("n", one));
        const found = compareSides({
          snapshot: liveZone(records(snapshot)),
          git: desired(fileZone(records(git))),
          live: liveZone(records(live)),
        }) as RecordDifference[];
        const textOf = (one: RecordDifference["snapshot"]) => one && canonical(one.records[0] as ZoneRecord);
        for (const one of found)
          expect(one.class).toBe(classOf(textOf(one.snapshot), textOf(one.git), textOf(one.live)));
        const inAll = snapshot.filter(({ text }) => [git, live].every((all) => all.some((one) => one.text === text)));
        for (const [name, values] of Object.entries({ snapshot, git, live })) {
          const named = found.flatMap((one) => textOf(one[name as "snapshot" | "git" | "live"]) ?? []);
          expect([...named, ...inAll.map(({ text }) => `192.0.2.${text}`)].sort()).toEqual(
            values.map(({ text }) => `192.0.2.${text}`).sort(),
          );
        }
        const has = (pattern: string) =>
          found.some((one) => [one.snapshot, one.git, one.live].map((side) => (side ? "x" : "-")).join("") === pattern);
        const halves = [
          ["xx-", "--x"],
          ["x-x", "-x-"],
          ["x--", "--x"],
          ["x--", "-x-"],
          ["x--", "-xx"],
        ];
        expect(halves.filter(([lost = "", gained = ""]) => has(lost) && has(gained))).toEqual([]);
      }),
      { numRuns: 2000 },
    );
  });
});

test("a TTL that a service has rounded is no difference, whichever way it rounds", () => {
  /** Times that services store, by their documentation. */
  const stored = [300, 3600, 7200, 14400, 28800, 57600, 86400, 172800, 345600, 604800, 1209600, 2419200];
  const nearest = (seconds: number) =>
    stored.reduce((best, one) => (Math.abs(one - seconds) <= Math.abs(best - seconds) ? one : best));
  const up = (seconds: number) => [30, 120, ...stored].find((one) => one >= seconds) ?? 2419200;
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 3_000_000 }), fc.boolean(), fc.boolean(), (ttl, before, after) => {
      const sideOf = (isUp: boolean) => {
        const text = { text: 1, ttl: isUp ? up(ttl) : nearest(ttl) };
        return liveZone([record("n", text)], { refresh_sec: text.ttl });
      };
      const git = desired(fileZone([record("n", { text: 1, ttl })], { refresh_sec: ttl }));
      expect(compareSides({ snapshot: sideOf(before), git, live: sideOf(after) })).toEqual([]);
    }),
  );
});

test("classes of settings equal the oracle; lists are sets without case, and 0 is the default", () => {
  const settings: Readonly<Record<string, readonly SettingValue[]>> = {
    soa_email: ["a@example.com", "b@example.com", "c@example.com"],
    refresh_sec: [0, 14400, 3600, 7200],
    tags: [[], ["web", "Shop"], ["shop", "WEB"], ["shop"]],
  };
  const meaning = (found: SettingValue) => {
    if (Array.isArray(found))
      return found
        .map((item: string) => item.toLowerCase())
        .sort()
        .join();
    return `${found || 14400}`;
  };
  for (const [name, values] of Object.entries(settings))
    for (const snapshot of values)
      for (const git of values)
        for (const live of values) {
          const found = compareSides({
            snapshot: liveZone([], { [name]: snapshot }),
            git: desired(fileZone([], { [name]: git })),
            live: liveZone([], { [name]: live }),
          });
          const expected = classOf(...[snapshot, git, live].map(meaning));
          expect(
            found.map((one) => one.class),
            JSON.stringify([name, snapshot, git, live]),
          ).toEqual(expected === "same" ? [] : [expected]);
        }
});

const www = record("www", { text: 1, ttl: undefined });
const other = record("other", { text: 2, ttl: undefined });

/** Differences as `class owner` or `class setting`. */
function summary(found: readonly DriftDifference[]): string[] {
  return found.map(
    (one) => `${one.class} ${one.kind === "record" ? one.owner : one.kind === "setting" ? one.name : "zone"}`,
  );
}

test.each<[string, Parameters<typeof compareSides>[0], string[]]>([
  [
    "a zone that is new in git",
    { snapshot: undefined, git: desired(fileZone([www])), live: undefined },
    ["pending zone"],
  ],
  [
    "a zone that was deleted outside git",
    { snapshot: liveZone([www]), git: desired(fileZone([www])), live: undefined },
    ["drift zone"],
  ],
  [
    "a zone that was created outside git",
    { snapshot: undefined, git: desired(fileZone([www])), live: liveZone([www, other]) },
    [
      "converged zone",
      "converged status",
      "converged ttl_sec",
      "converged type",
      "foreign other.example.com.",
      "converged www.example.com.",
    ],
  ],
  [
    "a zone that only git has, without a snapshot",
    { snapshot: "unknown", git: desired(fileZone([www])), live: undefined },
    ["differs zone"],
  ],
  [
    "a record that was stored twice",
    { snapshot: liveZone([www]), git: desired(fileZone([www])), live: liveZone([www, www]) },
    ["drift www.example.com."],
  ],
  [
    "records outside of `manage: listed`",
    {
      snapshot: liveZone([]),
      git: desired({ ...fileZone([www]), scope: { manage: "listed", ignore: [] } }),
      live: liveZone([www, other]),
    },
    ["converged www.example.com."],
  ],
  [
    "records that an ignore pattern leaves alone",
    {
      snapshot: liveZone([www]),
      git: desired({ ...fileZone([www]), scope: { ignore: [{ name: "oth*", reason: "theirs" }] } }),
      live: liveZone([www, other]),
    },
    [],
  ],
  [
    "a setting that the file omits",
    { snapshot: liveZone([www]), git: desired(fileZone([www])), live: liveZone([www], { tags: ["by-hand"] }) },
    [],
  ],
  [
    "a zone that was disabled",
    { snapshot: liveZone([www]), git: desired(fileZone([www])), live: liveZone([www], { status: "disabled" }) },
    ["drift status"],
  ],
  [
    "a secondary zone, whose records come from its primary",
    {
      snapshot: liveZone([www]),
      git: desired(fileZone([], { type: "slave", master_ips: ["192.0.2.53"] })),
      live: liveZone([other], { type: "slave", master_ips: ["192.0.2.53"] }),
    },
    ["converged master_ips", "converged type"],
  ],
])("%s", (_, sides, expected) => {
  expect(summary(compareSides(sides))).toEqual(expected);
});
