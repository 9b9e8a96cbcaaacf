import * as fc from "fast-check";
import { expect, test } from "vitest";
import { liveKey, spell, words } from "../../src/contract/words.ts";
import { keyPairs, wordPairs } from "./word-pairs.ts";

/** The web interface's own list of the actions of events. */
// biome-ignore lint/suspicious/noExplicitAny: TypeScript finds nothing in this package here.
const linode: any = await import("@linode/api-v4");

const kinds = Object.keys(wordPairs) as (keyof typeof wordPairs)[];
const all = kinds.flatMap((kind) => wordPairs[kind].map(([documented, live]) => [kind, documented, live] as const));

test.each(all)('%s "%s" is "%s" live, and back', (kind, documented, live) => {
  expect([spell(kind, documented, "live"), spell(kind, live, "documented")]).toEqual([live, documented]);
});

test.each(all)('%s "%s" and "%s" stay in their own spelling', (kind, documented, live) => {
  expect([spell(kind, documented, "documented"), spell(kind, live, "live")]).toEqual([documented, live]);
});

test("keys have these names live, and others keep theirs", () => {
  expect(Object.keys(keyPairs).map(liveKey)).toEqual(Object.values(keyPairs));
  const others = [
    "id",
    "label",
    "domain_id",
    "volume_id",
    "watchdog_enabled",
    "node_idx",
    "nodeId",
    "entities",
    "metric",
  ];
  expect(others.map(liveKey)).toEqual(others);
});

test("the table of keys has no others", () => {
  expect(Object.fromEntries(words.key)).toEqual(keyPairs);
});

test("the hosted service knows every live action", () => {
  const live = wordPairs.action.filter(([documented, live]) => documented !== live).map(([, live]) => live);
  expect(live.filter((action) => !linode.EventActionKeys.includes(action))).toEqual([]);
});

test("the hosted service knows every live capability but the one of nodes with a GPU", () => {
  const live = wordPairs.capability.map(([, live]) => live);
  expect(live.filter((name) => !linode.accountCapabilities.includes(name))).toEqual(["GPU Linodes"]);
});

const tables = Object.entries(words) as [string, readonly (readonly [string, string])[]][];

test.each(tables)("%s: no two words are spelled alike, in either spelling or across them", (_, pairs) => {
  const spelled = pairs.flat();
  expect(spelled.filter((word, at) => spelled.indexOf(word) !== at)).toEqual([]);
});

test.each(tables.filter(([table]) => table !== "key"))("%s: words with any ending come back", (table, pairs) => {
  const kind = table === "scope" ? "scopes" : (table as keyof typeof wordPairs);
  const ending = fc.stringMatching(/^[a-z/_:-]{0,12}$/);
  const spelled = fc.tuple(fc.constantFrom(...pairs), ending);
  fc.assert(
    fc.property(spelled, ([[documented, live], ending]) => {
      const texts = { documented: documented + ending, live: live + ending };
      const there = spell(kind, texts.documented, "live");
      expect(spell(kind, there, "documented")).toBe(texts.documented);
      const back = spell(kind, texts.live, "documented");
      expect(spell(kind, back, "live")).toBe(texts.live);
    }),
  );
});
