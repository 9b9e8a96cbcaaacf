import { Ajv } from "ajv";
import { describe, expect, test } from "vitest";
import { escapeControl } from "../../src/diagnostics/escape.ts";
import { asName, nameKey } from "../../src/dns/name/name.ts";
import { splitText, toOctets } from "../../src/dns/name/text.ts";
import type { ZoneRecord } from "../../src/dns/zone/zone.ts";
import { driftHtml } from "../../src/report/drift/html.ts";
import { driftJson, driftJsonSchema } from "../../src/report/drift/json.ts";
import { driftMarkdown } from "../../src/report/drift/markdown.ts";
import { driftCommitMessage, driftPullRequest, isDriftCommit } from "../../src/report/drift/pull-request.ts";
import { driftText } from "../../src/report/drift/text.ts";
import { githubComment } from "../../src/report/plan/markdown.ts";
import type { RecordDifference, RecordVersion } from "../../src/workflow/drift/classes.ts";
import type { DriftReport } from "../../src/workflow/drift/drift.ts";
import type { DriftFinding } from "../../src/workflow/drift/finding.ts";
import { lines } from "../cli/run.ts";
import { isMissing } from "../judges.ts";
import { renderGfm } from "./gfm.ts";
import { hostileTexts } from "./hostile-texts.ts";

const zone = nameKey(asName("example.com."));
const style = { color: false, unicode: true };

function version(record: Pick<ZoneRecord, "type" | "data">, ttl = 3600): RecordVersion {
  return { records: [{ owner: asName("www.example.com."), ttl, ...record }], ttls: [ttl] };
}

const address = (text: string, ttl?: number) => version({ type: "A", data: { address: text } }, ttl);

function finding(owner: string, rest: Partial<RecordDifference> & Pick<DriftFinding, "class" | "by">): DriftFinding {
  return { kind: "record", owner: nameKey(asName(`${owner}.example.com.`)), type: "A", ...rest };
}

const exact = { kind: "exact", user: "alice", time: "2026-03-04T12:10:00" } as const;

/** Lines of Markdown, in which an acute accent is a backtick. */
function codeLines(text: TemplateStringsArray): string {
  return lines(text).replaceAll("´", "`");
}

/** One finding of each class and kind, with each attribution. */
const findings: readonly DriftFinding[] = [
  finding("a", {
    class: "drift",
    snapshot: address("192.0.2.1"),
    git: address("192.0.2.1"),
    live: address("192.0.2.2"),
    by: exact,
  }),
  finding("b", {
    class: "drift",
    snapshot: address("192.0.2.3"),
    git: address("192.0.2.3"),
    by: { kind: "user", user: "bob", from: "2026-03-04T12:11:00", to: "2026-03-04T12:12:00" },
  }),
  finding("c", {
    class: "conflict",
    snapshot: address("192.0.2.4"),
    git: address("192.0.2.5"),
    live: address("192.0.2.6", 300),
    by: { kind: "one-of", users: ["alice", "bob"] },
  }),
  finding("d", {
    class: "foreign",
    live: address("192.0.2.7"),
    by: { kind: "unknown", why: "the event log does not name it" },
  }),
  finding("e", {
    class: "converged",
    git: address("192.0.2.8"),
    live: address("192.0.2.8"),
    by: { ...exact, run: "RUN" },
  }),
  finding("f", { class: "removed", snapshot: address("192.0.2.9"), by: undefined }),
  finding("g", { class: "pending", git: address("192.0.2.10"), by: undefined }),
  { kind: "setting", class: "drift", name: "tags", snapshot: ["web"], git: ["web"], live: [], by: exact },
];

const report: DriftReport = {
  snapshot: { place: "ref:refs/zonewright/snapshot", time: "2026-03-04T12:00:00Z" },
  reading: { events: 7, zones: 1 },
  zones: [
    { zone, file: "zones/example.com.yaml", findings },
    {
      zone: nameKey(asName("example.net.")),
      findings: [{ kind: "zone", class: "foreign", snapshot: false, git: false, live: true, by: exact }],
    },
  ],
  compared: 3,
  inSync: 2,
  requests: 4,
  notes: [],
};

test("the text fits into 80 columns on a terminal", () => {
  expect(driftText(report, style, 80)).toBe(lines`
    snapshot ref:refs/zonewright/snapshot of 2026-03-04T12:00:00Z; 7 events since
      then, 1 zone read
    example.com
      conflict  c A
                snapshot 3600 192.0.2.4
                git      3600 192.0.2.5
                live     300 192.0.2.6
                by one of "alice", "bob"; the event log does not tell which
      drift     a A  3600 192.0.2.1 → 3600 192.0.2.2
                by "alice" at 2026-03-04T12:10:00Z
      drift     b A  3600 192.0.2.3 → (none)
                by "bob" between 2026-03-04T12:11:00Z and 2026-03-04T12:12:00Z
      drift     tags  web → (none)
                by "alice" at 2026-03-04T12:10:00Z
      foreign   d A  3600 192.0.2.7
                author unknown: the event log does not name it
      converged e A  (none) → 3600 192.0.2.8
                by "alice" in run RUN of this project at 2026-03-04T12:10:00Z
      removed   f A  3600 192.0.2.9 → (none)
    example.net
      foreign   (zone)  created outside git
                by "alice" at 2026-03-04T12:10:00Z
    drift: 1 conflict, 3 changes outside git, 2 additions outside git, 1 converged
      change, 1 converged deletion, 1 pending change in 2 of 3 zones · 4 requests
    ${"`"}zonewright plan${"`"} lists the pending changes
  `);
});

test("Markdown shows conflicts and deletions first", () => {
  expect(driftMarkdown(report)).toBe(codeLines`
    ### Drift: 1 conflict, 3 changes outside git, 2 additions outside git, 1 converged change, 1 converged deletion, 1 pending change in 2 of 3 zones

    snapshot ´ref:refs/zonewright/snapshot´ of ´2026-03-04T12:00:00Z´; 7 events since then, 1 zone read · 4 requests

    **Changed in git and outside**
    - ´example.com: c A´ · snapshot ´3600 192.0.2.4´, git ´3600 192.0.2.5´, live ´300 192.0.2.6´ · by one of ´"alice"´, ´"bob"´; the event log does not tell which

    **Deleted outside git**
    - ´example.com: b A´ · ´3600 192.0.2.3´ → ´(none)´ · by ´"bob"´ between ´2026-03-04T12:11:00Z´ and ´2026-03-04T12:12:00Z´

    **Changed outside git**
    - ´example.com: a A´ · ´3600 192.0.2.1´ → ´3600 192.0.2.2´ · by ´"alice"´ at ´2026-03-04T12:10:00Z´
    - ´example.com: tags´ · ´web´ → ´(none)´ · by ´"alice"´ at ´2026-03-04T12:10:00Z´

    **Added outside git**
    - ´example.com: d A´ · ´3600 192.0.2.7´ · author unknown: the event log does not name it
    - ´example.net: (zone)´ · created outside git · by ´"alice"´ at ´2026-03-04T12:10:00Z´

    **Changed or deleted in the same way in git and outside**
    - ´example.com: e A´ · ´(none)´ → ´3600 192.0.2.8´ · by ´"alice"´ in run RUN of this project at ´2026-03-04T12:10:00Z´
    - ´example.com: f A´ · ´3600 192.0.2.9´

    **In git, not applied yet**
    - ´example.com: g A´ · ´(none)´ → ´3600 192.0.2.10´
  `);
});

test("JSON is as its schema says", () => {
  const json = driftJson(report);
  const validate = new Ajv({ allowUnionTypes: true, formats: { "date-time": true } }).compile(driftJsonSchema());
  expect([validate(JSON.parse(JSON.stringify(json))), validate.errors]).toEqual([true, null]);
  expect({
    ...json,
    zones: json.zones.map(({ findings }) => findings.map((one) => `${one.class} ${one.name}`)),
  }).toEqual({
    format: "zonewright.drift/1",
    snapshot: { place: "ref:refs/zonewright/snapshot", time: "2026-03-04T12:00:00Z" },
    base: { place: "ref:refs/zonewright/snapshot", time: "2026-03-04T12:00:00Z" },
    reading: { events: 7, zones: 1, requests: 4 },
    compared: 3,
    inSync: 2,
    counts: { conflict: 1, drift: 3, foreign: 2, converged: 1, removed: 1, pending: 1, differs: 0 },
    zones: [
      [
        "drift a.example.com.",
        "drift b.example.com.",
        "conflict c.example.com.",
        "foreign d.example.com.",
        "converged e.example.com.",
        "removed f.example.com.",
        "pending g.example.com.",
        "drift example.com.",
      ],
      ["foreign example.net."],
    ],
    notes: [],
  });
  expect(json.zones[0]?.findings.slice(0, 2)).toEqual([
    {
      kind: "record",
      class: "drift",
      name: "a.example.com.",
      type: "A",
      snapshot: { ttl_sec: [3600], rdata: "192.0.2.1" },
      base: { ttl_sec: [3600], rdata: "192.0.2.1" },
      git: { ttl_sec: [3600], rdata: "192.0.2.1" },
      live: { ttl_sec: [3600], rdata: "192.0.2.2" },
      by: { kind: "exact", user: "alice", time: "2026-03-04T12:10:00" },
    },
    {
      kind: "record",
      class: "drift",
      name: "b.example.com.",
      type: "A",
      snapshot: { ttl_sec: [3600], rdata: "192.0.2.3" },
      base: { ttl_sec: [3600], rdata: "192.0.2.3" },
      git: { ttl_sec: [3600], rdata: "192.0.2.3" },
      live: null,
      by: { kind: "user", user: "bob", from: "2026-03-04T12:11:00", to: "2026-03-04T12:12:00" },
    },
  ]);
});

test("a pull request names both ways out", () => {
  const files = [{ zone, file: "zones/example.com.yaml", text: "", findings: findings.slice(0, 2), notes: [] }];
  expect(driftPullRequest({ files })).toEqual({
    title: "Adopt changes of example.com made outside git",
    body: codeLines`
      2 changes of 1 zone made outside git.

      - **To keep the changes**, merge this pull request. The zone files then say what the live zones say.
      - **To restore the zones** as they are in git, close it and run ´zonewright apply´.

      **Changes**
      - ´example.com: a A´ · ´3600 192.0.2.1´ → ´3600 192.0.2.2´ · by ´"alice"´ at ´2026-03-04T12:10:00Z´
      - ´example.com: b A´ · ´3600 192.0.2.3´ → ´(none)´ · by ´"bob"´ between ´2026-03-04T12:11:00Z´ and ´2026-03-04T12:12:00Z´
    `,
  });
});

describe("10,000 findings", () => {
  const all = Array.from({ length: 10_000 }, (_, index) =>
    finding(`n${index}`, {
      class: index < 100 ? "conflict" : "foreign",
      snapshot: index < 100 ? address("192.0.2.1") : undefined,
      live: address("192.0.2.7"),
      by: exact,
    }),
  );
  const large = { ...report, zones: [{ zone, findings: all }] };

  test("fit into a comment; conflicts are shown, the rest is counted", () => {
    const text = driftMarkdown(large, githubComment);
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(60_000);
    expect(text.match(/: n\d+ A` · snapshot/g)).toHaveLength(100);
    const shown = text.match(/^- .*: n\d+ A` · `3600/gm)?.length ?? 0;
    expect(text).toContain(`\n${9_900 - shown} more additions do not fit here\n`);
  });

  test("fit into a pull request", () => {
    const files = [{ zone, file: "zones/example.com.yaml", text: "", findings: all, notes: [] }];
    expect(Buffer.byteLength(driftPullRequest({ files }).body)).toBeLessThanOrEqual(60_000);
  });
});

describe("hostile values and users", () => {
  const hostile = hostileTexts.map((text, index): DriftFinding => {
    const live = version({ type: "TXT", data: { strings: splitText(toOctets(text)) } });
    return {
      kind: "record",
      class: "foreign",
      owner: nameKey(asName(`n${index}.example.com.`)),
      type: "TXT",
      live,
      by: { ...exact, user: text },
    };
  });
  const all = { ...report, zones: [{ zone, findings: hostile }] };
  const files = [{ zone, file: "zones/example.com.yaml", text: "", findings: hostile, notes: [] }];

  test("leave no control character in text and commit messages, and no line that a CI obeys", () => {
    const commit = driftCommitMessage({ files, digest: "0".repeat(64) });
    for (const text of [driftText(all, style), driftText(all, style, 80), commit])
      expect(text.split("\n").filter((line) => /\p{Cc}|\p{Cs}|\p{Cf}|^\s*::|##\[/u.test(line))).toEqual([]);
    for (const text of hostileTexts) expect(driftText(all, style)).toContain(escapeControl(JSON.stringify(text)));
  });

  test("cannot forge a trailer of a commit", () => {
    const user = `x"\nDrift-digest: ${"1".repeat(64)}`;
    const message = driftCommitMessage({
      files: [
        {
          ...(files[0] as (typeof files)[number]),
          findings: [finding("a", { class: "foreign", live: address("192.0.2.1"), by: { ...exact, user } })],
        },
      ],
      digest: "0".repeat(64),
    });
    expect(message.match(/^Drift-digest: .*$/gm)).toEqual([`Drift-digest: ${"0".repeat(64)}`]);
    expect([isDriftCommit(message), isDriftCommit("Drift-digest: yes"), isDriftCommit("Fix www")]).toEqual([
      true,
      false,
      false,
    ]);
  });

  test.skipIf(isMissing("cmark-gfm"))("are nothing but code in Markdown", () => {
    for (const markdown of [driftMarkdown(all), driftPullRequest({ files }).body]) {
      const elements = new Set(
        renderGfm(markdown)
          .replaceAll(/<code>[^<]*<\/code>/g, "")
          .match(/<[^>]*>/g),
      );
      const ours = ["<h3>", "</h3>", "<p>", "</p>", "<strong>", "</strong>", "<ul>", "</ul>", "<li>", "</li>"];
      expect([...elements].filter((element) => !ours.includes(element))).toEqual([]);
    }
  });

  test("are escaped in HTML", async () => {
    const html = await driftHtml(all);
    const elements = new Set(html.slice(html.indexOf("<main>"), html.indexOf("</main>")).match(/<\/?[a-z0-9]+/g));
    const ours = ["main", "section", "h2", "table", "caption", "thead", "tbody", "tr", "th", "td", "div", "code"];
    expect([...elements].map((tag) => tag.replace(/<\/?/, "")).filter((tag) => !ours.includes(tag))).toEqual([]);
  });
});
