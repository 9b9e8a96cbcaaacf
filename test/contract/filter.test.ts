import { expect, test } from "vitest";
import { parseFilter } from "../../src/contract/filter.ts";

const filterable = ["domain", "tags", "entity.id"];

// The filter of lists (decisions/service#x-filter).
test.each([
  ["", []],
  ["{}", []],
  ['{"domain":"example.com"}', [{ kind: "compare", attribute: "domain", operator: "=", value: "example.com" }]],
  [
    '{"domain":{"+contains":"ex","+neq":"x"}}',
    [
      { kind: "compare", attribute: "domain", operator: "+contains", value: "ex" },
      { kind: "compare", attribute: "domain", operator: "+neq", value: "x" },
    ],
  ],
  ['{"entity.id":{"+gte":5}}', [{ kind: "compare", attribute: "entity.id", operator: "+gte", value: 5 }]],
  [
    '{"+or":[{"domain":"a"},{"+and":[{"tags":"b"}]}]}',
    [
      {
        kind: "or",
        parts: [
          { kind: "and", parts: [{ kind: "compare", attribute: "domain", operator: "=", value: "a" }] },
          {
            kind: "and",
            parts: [
              {
                kind: "and",
                parts: [{ kind: "and", parts: [{ kind: "compare", attribute: "tags", operator: "=", value: "b" }] }],
              },
            ],
          },
        ],
      },
    ],
  ],
])("%s", (text, parts) => {
  expect(parseFilter(text, filterable)).toEqual({ where: { kind: "and", parts } });
});

test.each([
  ['{"+order_by":"domain"}', { attribute: "domain", descending: false }],
  ['{"+order_by":"domain","+order":"desc"}', { attribute: "domain", descending: true }],
])("%s orders", (text, orderBy) => {
  expect(parseFilter(text, filterable).orderBy).toEqual(orderBy);
});

test.each([
  ["{", "Filter not valid JSON"],
  ["hello", "Filter not valid JSON"],
  ["[]", "Could not apply filter"],
  ["null", "Could not apply filter"],
  ['"x"', "Could not apply filter"],
  ['{"colour":"red"}', "Cannot filter on colour"],
  ['{"+or":[{"colour":"red"}]}', "Cannot filter on colour"],
  ['{"+order_by":"colour"}', "Cannot filter on colour"],
  ['{"+order_by":5}', "Could not apply filter"],
  ['{"+order_by":"domain","+order":"up"}', "Could not apply filter"],
  ['{"+or":{"domain":"a"}}', "Could not apply filter"],
  ['{"domain":{"+like":"a"}}', "Could not apply filter"],
  ['{"domain":{"+contains":5}}', "Could not apply filter"],
  ['{"domain":["a"]}', "Could not apply filter"],
])("rejects %s: %s", (text, reason) => {
  expect(() => parseFilter(text, filterable)).toThrow(reason);
});

test("rejects 30 levels", () => {
  const text = `${'{"+and":['.repeat(30)}${"]}".repeat(30)}`;
  expect(() => parseFilter(text, filterable)).toThrow("Could not apply filter");
});
