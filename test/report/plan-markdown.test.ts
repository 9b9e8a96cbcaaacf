import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { fitPlan, githubComment, planMarkdown } from "../../src/report/plan/markdown.ts";
import { desiredOf, liveOf } from "../planner/world.ts";
import { isNightly, samples } from "../properties.ts";
import { block, exampleLive, exampleReport, reportOf } from "./plans.ts";

describe("a plan in Markdown", () => {
  test("shows deletions, gaps, changes and creates, in this order", () => {
    const report = exampleReport();
    expect(planMarkdown(report)).toBe(block`
      ### Plan of zones: 5 changes in 1 of 2 zones

      +1 create · ~2 change · ⇄1 swap · −1 delete · effects \`d2b6397a\` · apply sends 7 writes and 9 reads

      | zone | create | change | swap | delete | old answers for up to |
      |---|--:|--:|--:|--:|--:|
      | \`example.com\` | 1 | 2 | 1 | 1 | 1 day |

      **Deletions**
      - \`old-vpn.example.com A 3600 192.0.2.44\` · caches may keep it for up to 1 hour

      **Gaps**
      - \`shop.example.com\` brief gap: A, AAAA of shop: a resolver that asks during the change may cache \`"no such record"\` for up to 1 day

      **Changes**
      - \`example.com TXT 86400 "v=spf1 include:_spf.example.net ~all" → "v=spf1 include:_spf.example.net -all"\` · updated in place; caches may keep the old value for up to 1 day · \`zones/example.com.zone:2\`
      - \`www.example.com A 3600 → 300 203.0.113.9 → 198.51.100.7\` · updated in place; caches may keep the old value for up to 1 hour · \`zones/example.com.zone:6\`
      - ⇄ \`shop.example.com CNAME 3600 shops.example.net. → A 300 198.51.100.20 + AAAA 300 2001:db8::20\` · \`zones/example.com.zone:4\`

      **Creates**
      - \`api.example.com AAAA 300 2001:db8:7::10\` · \`zones/example.com.zone:3\`

      **Notes**
      - note: \`example.com\` www A: \`ttl_sec\` 600 is stored as 300 · \`zones/example.com.zone:6\`
    `);
  });

  test("counts what does not fit into the budget, creates first", () => {
    const names = (letter: string) => Array.from({ length: 4 }, (_, index) => `${letter}${index}`);
    const report = reportOf(
      [
        desiredOf(
          names("new")
            .map((name, index) => `${name} 300 A 192.0.2.${index}`)
            .join("\n"),
        ),
      ],
      [
        liveOf(
          names("old")
            .map((name, index) => `${name} 300 A 192.0.2.${index}`)
            .join("\n"),
        ),
      ],
    );
    expect(planMarkdown(report, { budget: 780 })).toBe(block`
      ### Plan of zones: 8 changes in 1 of 1 zone

      +4 create · −4 delete · effects \`69765830\` · apply sends 8 writes and 9 reads

      | zone | create | change | swap | delete | old answers for up to |
      |---|--:|--:|--:|--:|--:|
      | \`example.com\` | 4 |  |  | 4 | 5 minutes |

      **Deletions**
      - \`old0.example.com A 300 192.0.2.0\` · caches may keep it for up to 5 minutes
      - \`old1.example.com A 300 192.0.2.1\` · caches may keep it for up to 5 minutes
      - \`old2.example.com A 300 192.0.2.2\` · caches may keep it for up to 5 minutes
      - \`old3.example.com A 300 192.0.2.3\` · caches may keep it for up to 5 minutes

      **Creates**
      - \`new0.example.com A 300 192.0.2.0\` · \`zones/example.com.zone:2\`

      3 more creates do not fit here
    `);
  });

  test("shows the most dangerous changes if not all fit, wherever they stand, and equal ones in one row", () => {
    const usual = Array.from({ length: 300 }, (_, index) => `n${index} 300 TXT "t${index}"`);
    const dangerous = [
      "@ 300 MX 10 mx.attacker.example.",
      "shop 300 CNAME shop.attacker.example.",
      "sub 300 NS ns.attacker.example.",
      "* 300 A 198.51.100.1",
      '_acme-challenge.www 300 TXT "token"',
      "@ 300 A 198.51.100.2",
      '_dmarc 300 TXT "v=DMARC1; p=none"',
    ];
    const gone = Array.from({ length: 300 }, (_, index) => `o${index} 300 TXT "t${index}"`);
    const same = Array.from({ length: 30 }, (_, index) => `same${index} 300 A 192.0.2.7`);
    const report = reportOf([desiredOf([...usual, ...dangerous, ...same].join("\n"))], [liveOf(gone.join("\n"))]);
    const { text, isWhole } = fitPlan(report, { budget: 6000 }, "not whole\n");
    expect([isWhole, text.startsWith("not whole\n### "), Buffer.byteLength(text) <= 6000]).toEqual([false, true, true]);
    for (const value of [
      "mx.attacker",
      "shop.attacker",
      "ns.attacker",
      "198.51.100.1",
      "_acme",
      "198.51.100.2",
      "_dmarc",
    ])
      expect(text).toContain(value);
    expect(text).toMatch(/\d+ more creates do not fit here/);
    expect(text).toMatch(/\d+ more deletions do not fit here/);
    const whole = fitPlan(reportOf([desiredOf(same.join("\n"))], [liveOf("")]), { budget: 6000 }, "not whole\n");
    expect(whole.isWhole).toBe(true);
    expect(whole.text.match(/^- .* · at /gm)).toHaveLength(2);
    for (let index = 0; index < 30; index++) expect(whole.text).toContain(`\`same${index}.example.com\``);
  });

  test.each([
    "zz 300 CNAME host.attacker.example.",
    "zz 300 MX 10 mail",
    "zz 300 NS ns",
    "*.zz 300 A 198.51.100.1",
    '_acme-challenge.zz 300 TXT "token"',
    "@ 300 A 198.51.100.2",
    'zz 300 TXT "v=spf1 -all"',
    '_dmarc.zz 300 TXT "v=DMARC1; p=none"',
    'zz._domainkey 300 TXT "p="',
    '_mta-sts.zz 300 TXT "v=STSv1"',
    '_smtp._tls.zz 300 TXT "v=TLSRPTv1"',
    'zz 300 CAA 0 issue "ca.example"',
  ])("shows %s among 2,000 usual creates", (record) => {
    const usual = Array.from({ length: 2000 }, (_, index) => `n${index} 300 TXT "t${index}"`);
    const report = reportOf([desiredOf([...usual, record].join("\n"))], [liveOf("")]);
    const { text, isWhole } = fitPlan(report, { budget: 3000 }, "not whole\n");
    const [owner = "", , type = ""] = record.split(" ");
    expect(isWhole).toBe(false);
    expect(text).toContain(`${owner === "@" ? "" : `${owner}.`}example.com ${type}`);
  });

  test("shows values in full if they fit, and is not whole if they are shortened", () => {
    const value = `v=spf1 ${"a:mail.example.com ".repeat(30)}include:attacker.example -all`;
    const texts = value
      .match(/.{1,200}/g)
      ?.map((part) => `"${part}"`)
      .join(" ");
    const report = reportOf([desiredOf(`@ 300 TXT ${texts}`)], [liveOf("")]);
    expect(fitPlan(report, githubComment)).toMatchObject({ isWhole: true, text: expect.stringContaining("attacker") });
    expect(fitPlan(report, { ...githubComment, budget: 900 })).toMatchObject({ isWhole: false });
  });

  /** Plans creates and deletions in each zone; the report may have `budget` octets. */
  function expectToFit(creates: number, deletions: number, budget: number, names = ["example.com."]): void {
    const records = (letter: string, length: number) =>
      Array.from({ length }, (_, index) => `${letter}${index} 300 TXT "${letter.repeat(index % 250)}"`).join("\n");
    const [desired, live] = [records("n", creates), records("o", deletions)];
    const report = reportOf(
      names.map((name) => desiredOf(desired, name)),
      names.map((name) => liveOf(live, "documented", name)),
    );
    const text = planMarkdown(report, { ...githubComment, budget });
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(budget);
    const shown = text.match(/`o\d+\./g)?.length ?? 0;
    const counted = Number(/(\d+) (?:more )?deletions? do/.exec(text)?.[1] ?? 0);
    expect(shown + counted).toBe(names.length * deletions);
  }

  test("stays within the budget, and shows or counts every deletion", () => {
    const number = fc.nat(2_000);
    fc.assert(
      fc.property(number, number, fc.integer({ min: 1000, max: 70_000 }), (...numbers) => expectToFit(...numbers)),
      samples(10),
    );
  });

  // Takes ten seconds and more; the property has up to 4,000 changes.
  test.runIf(isNightly)("stays within the budget of a comment for 100,000 changes", () => {
    const names = Array.from({ length: 10 }, (_, index) => `zone${index}.example.`);
    expectToFit(5000, 5000, 60_000, names);
  });

  test("shows that nothing is to do", () => {
    expect(planMarkdown(reportOf([desiredOf(exampleLive)], [liveOf(exampleLive)]))).toBe(block`
      ### Plan of zones: in sync

      1 zone, nothing to do
    `);
  });
});
