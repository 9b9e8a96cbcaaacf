import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import * as z from "zod";
import { type BodyOptions, readBody, warnOfUnknown } from "../../../src/cli/api/body.ts";
import { toJsonSchema } from "../../../src/contract/json-schema.ts";
import { secret } from "../../../src/contract/meta.ts";
import { ProblemError } from "../../../src/diagnostics/problem.ts";
import { samples } from "../../properties.ts";
import { Desk } from "../run.ts";

const schema = toJsonSchema(
  z.object({
    count: z.int().nullable(),
    share: z.number(),
    isOn: z.boolean().optional(),
    kind: z.enum(["a", "b"]).nullish(),
    either: z.union([z.int(), z.string()]),
    phone: z.object({ primary: z.string(), secondary: z.string().nullable() }),
    ids: z.record(z.string(), z.array(z.int())),
    items: z.array(z.object({ label: z.string(), pin: secret(z.string()).optional() })),
    cvv: secret(z.string()).nullish(),
    any: z.unknown(),
  }),
  "input",
);

/** Reads a body in the folder of a desk, with a text in a pipe. */
function read(desk: Desk, options: BodyOptions, input = ""): Promise<unknown> {
  const source = { cwd: desk.folder, ask: undefined, log: () => {}, readInput: async () => input };
  return readBody(source, schema, options);
}

test.each<[set: string[], body: unknown]>([
  [["count=12", "share=-1.5e3", "isOn=true"], { count: 12, share: -1500, isOn: true }],
  [["count=null", "kind=null", "isOn=false"], { count: null, kind: null, isOn: false }],
  [["kind=c"], { kind: "c" }],
  [["either=12"], { either: 12 }],
  [["either=12a"], { either: "12a" }],
  [["any=12"], { any: "12" }],
  [["any:={}"], { any: {} }],
  [["phone.primary=+1 555=0100", "phone.secondary:=null"], { phone: { primary: "+1 555=0100", secondary: null } }],
  [["ids.nodes=1,2", "ids.domains=3", "ids.nodes=4"], { ids: { nodes: [1, 2, 4], domains: [3] } }],
  [["ids.__proto__=1"], JSON.parse('{"ids":{"__proto__":[1]}}')],
  [['items:=[{"label":"a"}]', 'items:=[{"label":"b"}]'], { items: [{ label: "a" }, { label: "b" }] }],
  [['phone:={"primary":"1"}'], { phone: { primary: "1" } }],
])("--set %j", async (set, body) => {
  expect(await read(new Desk(), { set })).toEqual(body);
});

test("--set changes what --body gives", async () => {
  const desk = new Desk({ "body.json": '{"count":1,"phone":{"primary":"1"},"ids":{"nodes":[9]}}' });
  const options = { body: "@body.json", set: ["count=2", "phone.secondary=2", "ids.nodes=1"] };
  expect(await read(desk, options)).toEqual({
    count: 2,
    phone: { primary: "1", secondary: "2" },
    ids: { nodes: [1] },
  });
});

test.each<[body: string, warning: string]>([
  ['{"count":1,"ids":{"any":[1]},"any":{"a":1},"items":[{"label":"a"}],"kind":{"a":1}}', ""],
  [
    '{"shar":1}',
    'warning: the operation has no known field "shar" (did you mean "share"?); the service may ignore it\n',
  ],
  [
    '{"id":7,"phone":{"primry":"1"},"items":[{"label":"a"},{"a\\nb":1}]}',
    'warning: the operation has no known fields "id" (did you mean "ids"?), "phone.primry" (did you mean "phone.primary"?), "items.1.a\\x0ab"; the service may ignore them\n',
  ],
])("warns of unknown fields in %s", (body, warning) => {
  let logged = "";
  const log = (text: string) => {
    logged += text;
  };
  warnOfUnknown({ log }, schema, JSON.parse(body));
  expect(logged).toBe(warning);
});

test("any --set gives a body or a sentence", async () => {
  const field = fc.oneof(
    fc.constantFrom("count", "phone", "phone.primary", "ids.a", "ids.__proto__", "items"),
    fc.string(),
  );
  const text = fc.oneof(fc.constantFrom("null", "", "1", '{"a":1}', "[1]", "1,2"), fc.string());
  const assignment = fc.tuple(field, fc.constantFrom("=", ":=", ""), text).map((parts) => parts.join(""));
  const desk = new Desk();
  await fc.assert(
    fc.asyncProperty(fc.array(assignment, { minLength: 1, maxLength: 4 }), async (set) => {
      const given = await read(desk, { set }).catch((error: unknown) => error);
      if (given instanceof Error) expect(given).toBeInstanceOf(ProblemError);
      else expect(JSON.parse(JSON.stringify(given))).toEqual(given);
    }),
    samples(500),
  );
});

describe("refused", () => {
  const secretOf = (flag: string, path: string) =>
    `${flag} would show the secret "${path}" to other users of this machine. Write JSON into a file and pass --body @FILE, or pipe it to --body @-.`;

  test.each<[options: { set?: string[]; body?: string }, message: string]>([
    [{ set: ["cvv=123"] }, secretOf("--set", "cvv")],
    [{ set: ['cvv:="123"'] }, secretOf("--set", "cvv")],
    [{ set: ['items:=[{"pin":"1"}]'] }, secretOf("--set", "items.0.pin")],
    [{ body: '{"cvv":"123"}' }, secretOf("--body", "cvv")],
    [{ body: '{"items":[{"label":"a"},{"pin":"1"}]}' }, secretOf("--body", "items.1.pin")],
    [{ set: ["phone=1"] }, '"phone" is an object. Set its fields, such as phone.primary.'],
    [{ set: ["items=a"] }, '"items" is an object. Set its fields, such as items.label.'],
    [{ set: ["share=1e"] }, '--set share needs a number, not "1e".'],
    [{ set: ["isOn=yes"] }, '--set isOn needs true or false, not "yes".'],
    [{ set: ["ids.nodes=1,x"] }, '--set ids.nodes needs a whole number, not "x".'],
    [{ set: ["phone.x=1"] }, 'the operation has no field "phone.x". --help lists the fields.'],
    [{ set: ["phone.primary=1", "phone.primary=2"] }, '--set gives "phone.primary" two values.'],
    [{ set: ["phone.primary=1"], body: '{"phone":1}' }, '--set phone.primary: "phone" is not an object in the body.'],
    [{ body: "@missing.json" }, "missing.json cannot be read: it does not exist"],
    [{ body: "@-" }, "--body is not valid JSON."],
  ])("%j", async (options, message) => {
    const desk = new Desk();
    const reading = read(desk, options);
    await expect(reading).rejects.toBeInstanceOf(ProblemError);
    await expect(reading).rejects.toHaveProperty("message", message);
  });

  test("a secret may be in a file, in standard input, or null", async () => {
    const desk = new Desk({ "card.json": '{"cvv":"123"}' });
    expect(await read(desk, { body: "@card.json" })).toEqual({ cvv: "123" });
    expect(await read(desk, { body: "@-" }, '{"cvv":"456"}')).toEqual({ cvv: "456" });
    expect(await read(desk, { set: ["cvv:=null"] })).toEqual({ cvv: null });
  });
});
