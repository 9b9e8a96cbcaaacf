import { expect, test } from "vitest";
import { type Problem, problem } from "../../src/diagnostics/problem.ts";
import { findingsMarkdown } from "../../src/report/findings/markdown.ts";

const place = (line: number) => ({ file: "zones/example.com.yaml", line, column: 3, length: 2 });
const problems: Problem[] = [
  problem("cname-alone", "www CNAME is beside other records", { fix: "Remove @everyone, or `www`.", place: place(4) }),
  problem("private-address", "10.0.0.1 is private <script>", { place: place(9) }),
];

test("findings as Markdown: the verdict, then each severity, with places and fixes", () => {
  expect(findingsMarkdown({ problems, zones: 2, records: 40 })).toBe(`### Zone files: 1 error

2 zones, 40 records

**Errors**
- www CNAME is beside other records (\`cname-alone\`) · \`zones/example.com.yaml:4\`
  - Remove \`@everyone\`, or \`www\`.

**Warnings**
- \`10.0.0.1\` is private \`<script>\` (\`private-address\`) · \`zones/example.com.yaml:9\`
`);
  expect(findingsMarkdown({ problems: [], zones: 1, records: 1 })).toBe("### Zone files: valid\n\n1 zone, 1 record\n");
});

test.each([200, 1_000, 60_000])("findings as Markdown fit into %i octets, and the rest is counted", (budget) => {
  const many = Array.from({ length: 5_000 }, (_, index) =>
    problem("cname-alone", `name ${index} ü`, { severity: index % 2 === 0 ? "error" : "warning", place: place(index) }),
  );
  const text = findingsMarkdown({ problems: many, zones: 2, records: 40 }, budget);
  expect(Buffer.byteLength(text)).toBeLessThanOrEqual(budget);
  const shown = text.match(/^- /gm)?.length ?? 0;
  const counted = [...text.matchAll(/^(\d+) (?:more )?(?:error|warning)s do not fit here$/gm)].map(([, n]) =>
    Number(n),
  );
  expect(shown + counted.reduce((sum, number) => sum + number, 0)).toBe(5_000);
});
