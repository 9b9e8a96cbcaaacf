// @suite long

import { expect, test } from "vitest";
import { isNightly } from "../properties.ts";
import { bind, play, yaml } from "./drift-history.ts";

const [lastSeed, expected] = isNightly
  ? [120, { written: 82, left: 11, inSync: 13 }]
  : [106, { written: 23, left: 5, inSync: 3 }];

test.each([
  ["YAML", yaml],
  ["BIND", bind],
])(
  "drift of generated histories is written into a %s file; what is left is listed, and a plan undoes nothing else",
  async (_, files) => {
    const counts = { written: 0, left: 0, inSync: 0 };
    for (let seed = 101; seed <= lastSeed; seed++) {
      const { desk } = await play(seed, 3 + (seed % 8), files);
      const { talk } = await desk.run("drift --snapshot snapshot.json --write");
      const listed = [...talk.matchAll(/^not written: example\.com ([^\s:]+)/gm)].map(([, owner]) => owner);
      const { out } = await desk.run("drift --snapshot snapshot.json --report json");
      const [zone] = JSON.parse(out).zones;
      const drift = (zone?.findings ?? []).filter((one: { class: string }) =>
        ["drift", "foreign", "conflict"].includes(one.class),
      );
      const ownerOf = ({ kind, name, type }: { kind: string; name: string; type: string }) =>
        kind === "setting" ? type : name.replace(".example.com.", "");
      expect(drift.map(ownerOf).sort(), talk).toEqual(listed.sort());
      expect((zone?.findings ?? []).filter((one: { class: string }) => one.class === "pending")).toEqual([]);
      const plan = (await desk.run("plan")).out;
      expect(plan === "in sync: 1 zone, nothing to do\n", plan).toBe(drift.length === 0);
      const [file = ""] = Object.keys(files);
      for (const comment of ["ours", "who reads it"]) expect(desk.read(file)).toContain(comment);
      counts.written += Number(/^(\d+) changes? of /m.exec(talk)?.[1] ?? 0);
      counts.left += drift.length;
      if (drift.length === 0) counts.inSync++;
    }
    expect(counts).toEqual(expected);
  },
  120_000,
);
