import { describe, expect, test } from "vitest";
import { readMarker, writeMarker } from "../../src/github/marker.ts";
import { type CommentContext, changedZones, pullRequestComment } from "../../src/report/plan/pull-request-comment.ts";
import { isMissing } from "../judges.ts";
import { desiredOf, liveOf } from "../planner/world.ts";
import { renderEach } from "./gfm.ts";
import { hostileTexts } from "./hostile-texts.ts";
import { block, reportOf } from "./plans.ts";

const context: CommentContext = {
  key: "default",
  commit: "4be19c2".padEnd(40, "0"),
  run: 1,
  now: new Date("2026-03-04T12:41:00Z"),
  previous: undefined,
  others: [],
};
const next = { commit: "91aa".padEnd(40, "0"), now: new Date("2026-03-04T13:00:00Z") };
const live = [liveOf("www 300 A 192.0.2.1\nold 300 A 192.0.2.2")];

/** The plan that leaves these records in the zone. */
const planOf = (records: string) => reportOf([desiredOf(records)], live);
const first = planOf("www 300 A 192.0.2.1\napi 300 A 192.0.2.3");
const second = planOf("www 300 A 192.0.2.1\nold 300 A 192.0.2.2\napi 300 A 192.0.2.3\nshop 300 A 192.0.2.4");
const empty = planOf("www 300 A 192.0.2.1\nold 300 A 192.0.2.2");

/** The comments on one pull request, each after the one before. */
function comments(...pushes: (readonly [report: typeof first, rest?: Partial<CommentContext>])[]): string[] {
  let previous: CommentContext["previous"];
  return pushes.map(([report, rest = {}]) => {
    const { body } = pullRequestComment(report, { ...context, previous, ...rest });
    previous = readMarker(rest.key ?? context.key, body);
    return body;
  });
}

describe("the comment on a pull request", () => {
  test("starts with its marker, then shows the plan with its commit and the full report", () => {
    const [body] = comments([first, { reportUrl: "https://github.com/octo-org/zones/actions/runs/5" }]);
    expect(body).toBe(block`
      <!-- zonewright:plan default {"version":1,"digest":"caa2fafd3641e8a6e0e6c3d69629f2e068cac8dcc2e1a2c6a0f11363c71cd9dc","commit":"4be19c2000000000000000000000000000000000","effects":2,"run":1,"isFinal":false,"history":[{"commit":"4be19c2000000000000000000000000000000000","digest":"caa2fafd","at":1772628060}],"hashes":"TZ2OIQLjQyUrkZCv","texts":["create api.example.com A","delete old.example.com A"],"zones":"Pr7zElCf","isWhole":true} -->
      ### Plan of zones: 2 changes in 1 of 1 zone

      +1 create · −1 delete · effects \`caa2fafd\` · apply sends 2 writes and 6 reads · commit \`4be19c2\` · [full report](<https://github.com/octo-org/zones/actions/runs/5>)

      | zone | create | change | swap | delete | old answers for up to |
      |---|--:|--:|--:|--:|--:|
      | \`example.com\` | 1 |  |  | 1 | 5 minutes |

      **Deletions**
      - \`old.example.com A 300 192.0.2.2\` · caches may keep it for up to 5 minutes

      **Creates**
      - \`api.example.com A 300 192.0.2.3\` · \`zones/example.com.zone:3\`
    `);
  });

  test("says what has changed since the last push, and lists the pushes", () => {
    const [, body = ""] = comments([first], [second, next]);
    expect(body.slice(body.indexOf("**Since"))).toBe(block`
      **Since the last push (\`4be19c2\`)**: 1 new, 1 no longer planned
      - new: \`create shop.example.com A\`
      - no longer planned: \`delete old.example.com A\`

      <details><summary>1 push ago <code>caa2fafd</code> → now <code>53651e71</code></summary>

      - \`91aa000\` · effects \`53651e71\` · 2026-03-04 13:00 UTC
      - \`4be19c2\` · effects \`caa2fafd\` · 2026-03-04 12:41 UTC

      </details>
    `);
  });

  test("says that the plan is empty now", () => {
    const [, body = ""] = comments([first], [empty, next]);
    expect(body.slice(body.indexOf("###"))).toBe(block`
      ### Plan of zones: in sync

      1 zone, nothing to do · commit \`91aa000\`

      **The plan is empty now**: no change of the last push (\`4be19c2\`) is planned any more
      - no longer planned: \`create api.example.com A\`
      - no longer planned: \`delete old.example.com A\`

      <details><summary>1 push ago <code>caa2fafd</code> → now <code>e3b0c442</code></summary>

      - \`91aa000\` · effects \`e3b0c442\` · 2026-03-04 13:00 UTC
      - \`4be19c2\` · effects \`caa2fafd\` · 2026-03-04 12:41 UTC

      </details>
    `);
  });

  test.each([
    ["a push that changes nothing", [[first], [first, next]], "Since the last push (`4be19c2`): the same effects\n"],
    ["a second run of a commit", [[first], [first]], "Since the last plan of this commit: the same effects\n"],
    [
      "live data that changed between two runs of a commit",
      [[first], [second]],
      "**Since the last plan of this commit**: 1 new, 1 no longer planned\n",
    ],
  ] as const)("names %s", (_, pushes, line) => {
    expect(comments(...pushes).at(-1)).toContain(`\n${line}`);
  });

  test("keeps one line for each of the last 20 pushes, and none for a second run", () => {
    const pushes = Array.from({ length: 25 }, (_, index) => `${index}`.padStart(2, "0").padEnd(40, "c"));
    const all = comments(...pushes.flatMap((commit) => [[first, { commit }] as const, [first, { commit }] as const]));
    const rows = all.at(-1)?.match(/^- `\d\dccccc`/gm);
    expect(rows).toEqual(
      pushes
        .slice(5)
        .toReversed()
        .map((commit) => `- \`${commit.slice(0, 7)}\``),
    );
    expect(all.at(-1)).toContain("<summary>19 pushes ago <code>");
  });

  test("links other pull requests that change the same zones, and names the configuration", () => {
    const zones = ["a", "b", "c", "d", "e", "f", "g"].map((letter) => `${letter}.example.`);
    const others = [
      { number: 12, zones: ["example.com."] },
      { number: 13, zones },
    ];
    const [body = ""] = comments([empty, { others, key: "zones/internal" }]);
    expect(body.slice(body.indexOf("**Other"))).toBe(block`
      **Other open pull requests that change the same zones**
      - #12: \`example.com\`
      - #13: \`a.example\`, \`b.example\`, \`c.example\`, \`d.example\`, \`e.example\`, 2 more

      Config: \`zones/internal\`
    `);
  });

  test("names the zones with changes", () => {
    expect(changedZones(first)).toEqual(["example.com."]);
    expect(changedZones(empty)).toEqual([]);
  });
});

describe("a large plan", () => {
  const records = (letter: string, length: number) =>
    Array.from(
      { length },
      (_, index) => `${letter}-${index}.${"x".repeat(40)} 300 TXT "${letter.repeat(index % 250)}"`,
    ).join("\n");
  // A marker has at most 1,000 effects; a comment shows some hundred deletions.
  const large = reportOf([desiredOf(records("n", 1000))], [liveOf(records("o", 1000))]);
  const larger = reportOf([desiredOf(records("m", 1000))], [liveOf(records("o", 1000))]);
  const long = `${"a-".repeat(30)}a.`.repeat(4);
  const others = Array.from({ length: 200 }, (_, index) => ({
    number: index,
    zones: Array(9).fill(`${long}example.`),
  }));

  test("keeps the comment within 60,000 octets with everything that it may contain", () => {
    const plans = [...Array.from({ length: 19 }, (_, index) => (index % 2 === 0 ? first : second)), larger, large];
    const all = comments(
      ...plans.map((plan, index) => {
        const commit = `${index}`.padStart(2, "0").padEnd(40, "c");
        return [plan, { commit, others, key: "x".repeat(500) }] as const;
      }),
    );
    const body = all.at(-1) ?? "";
    expect(Buffer.byteLength(body)).toBeLessThanOrEqual(60_000);
    expect(Buffer.byteLength(body)).toBeGreaterThan(55_000);
    expect(Buffer.byteLength(body.slice(0, body.indexOf("###")))).toBeLessThan(25_000);
    expect(body).toMatch(/\n\d+ more deletions do not fit here\n/);
    expect(body).toMatch(/\n- and 957 more\n/);
    const marker = readMarker("x".repeat(500), body);
    expect(marker?.isWhole).toBe(false);
    expect(body).toContain(`\nzonewright approve effects ${marker?.digest.slice(0, 16)}\n`);
  });

  test("is compared as far as its marker goes", () => {
    const [, body = ""] = comments([large], [empty, next]);
    expect(body).toContain("**The plan is empty now**: no change of the last push (`4be19c2`) is planned any more\n");
    const [, other = ""] = comments([large], [larger, next]);
    expect(other).toMatch(
      /\*\*Since the last push \(`4be19c2`\)\*\*: at least 1000 no longer planned; that plan was too large to compare all of it\n/,
    );
  });
});

describe.skipIf(isMissing("cmark-gfm"))("hostile text in the comment", () => {
  test("is shown as text by GitHub's renderer, wherever it comes from", () => {
    const [before = ""] = comments([first]);
    const marker = readMarker("default", before);
    if (marker === undefined) throw new Error("no marker");
    const bodies = hostileTexts.map((given) => {
      const text = Buffer.from(given).toString();
      // The comment was edited by hand, so that its marker contains the text.
      const previous = readMarker("default", writeMarker("default", { ...marker, texts: [text, text] }));
      const others = [{ number: 1, zones: [text] }];
      const reportUrl = `https://a.example/${text}`;
      return pullRequestComment(empty, { ...context, ...next, previous, key: text, others, reportUrl }).body;
    });
    for (const rendered of renderEach(bodies)) {
      const html = rendered.replace(/<code>[^<]*<\/code>/g, "").replace(/^<!--(?:(?!--)[^<>])*-->\n/, "");
      const link = /<a href="https:\/\/a\.example\/[^"<>]*">full report<\/a>/;
      expect(html.replace(link, "")).toMatch(/^(?:<\/?(?:h3|p|ul|li|details|summary|strong)>|[\w\s:,.()·→#-])*$/);
    }
  });
});
