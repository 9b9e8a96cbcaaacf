import { expect, test } from "vitest";
import { problem } from "../../src/diagnostics/problem.ts";
import { countImport, importMarkdown, noImports } from "../../src/report/import/report.ts";
import type { ImportResult } from "../../src/workflow/import/zones.ts";
import { domainName } from "../names.ts";
import { block } from "./plans.ts";

const zones: readonly ImportResult[] = [
  {
    name: domainName("example.com."),
    state: "written",
    file: "zones/example.com.yaml",
    from: "192.0.2.53",
    serial: 7,
    ledger: {
      zone: "example.com",
      entries: [
        { owner: "www", type: "A", ttl: 300, rdata: "192.0.2.1", class: "exact" },
        {
          owner: "@",
          type: "TXT",
          ttl: 60,
          rdata: '"@octocat | `<b>` https://evil.example/"',
          class: "lost",
          reason: 'the target "@team" of mail.example.com. is unknown',
          rule: "target-exists",
        },
      ],
    },
    problems: [problem("transfer/serial", "192.0.2.54 has serial 8", { fix: "Name it first." })],
  },
  {
    state: "failed",
    name: domainName("example.net."),
    from: "192.0.2.53",
    problems: [problem("transfer/refused", "192.0.2.53 refuses the transfer of @net")],
  },
];

test("the ledger in Markdown shows names and values as code", () => {
  const rows = zones.map((zone, index) => importMarkdown.zone(zone, index === 0));
  const text = importMarkdown.begin + rows.join("") + importMarkdown.end(zones.reduce(countImport, noImports));
  expect(text).toBe(block`
    | zone | result | record | class | reason |
    |---|---|---|---|---|
    | \`example.com\` | wrote | 2 records (1 exact, 1 lost) |  |  |
    |  |  | \`\`@ TXT "@octocat \\| \`<b>\` https://evil.example/"\`\` | lost | the target \`"@team"\` of \`mail.example.com.\` is unknown (\`target-exists\`) |
    |  |  |  | warning | \`192.0.2.54\` has serial 8. Name it first. (\`transfer/serial\`) |
    | \`example.net\` | failed |  |  | \`192.0.2.53\` refuses the transfer of \`@net\` |

    2 zones: 1 written, 0 unchanged, 0 kept, 1 failed

    2 records (1 exact, 1 lost)
  `);
});
