import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import * as z from "zod";
import { attributesOf, type Endpoint, isList } from "../../src/contract/endpoint.ts";
import { endpoints } from "../../src/contract/endpoints/index.ts";
import { type Filter, parseFilter } from "../../src/contract/filter.ts";
import { documentation, openEnum, word } from "../../src/contract/meta.ts";
import { pageOf } from "../../src/contract/page.ts";
import { entity } from "../../src/contract/resources/event.ts";
import { translationOf } from "../../src/contract/translation.ts";
import type { Spelling, WordKind } from "../../src/contract/words.ts";
import { samples } from "../properties.ts";
import { keyPairs, wordPairs } from "./word-pairs.ts";

/** Endpoints with every kind of word, in the forms that the documents have. */
const disk = {
  method: "POST",
  path: "/node/instances/{nodeId}/disks",
  summary: "Create a disk",
  tag: "Nodes",
  scope: "nodes:read_write",
  params: z.object({ nodeId: z.int() }),
  body: z.object({
    label: z.string().optional(),
    image: word("id", z.string()).nullish(),
    deployscript_id: z.int().nullish(),
    deployscript_data: z.record(z.string(), z.string()).optional(),
    devices: z.record(z.string(), z.object({ node_id: z.int().nullable() })).optional(),
    interfaces: z.array(z.object({ node_label: z.string(), label: z.string() })).default([]),
  }),
  reply: z.object({ node_id: z.int(), label: z.string(), filesystem_path: word("device", z.string()) }),
} as const satisfies Endpoint;

const kernel = {
  method: "GET",
  path: "/node/kernels/{kernelId}",
  summary: "View a kernel",
  tag: "Nodes",
  scope: null,
  params: z.object({ kernelId: word("id", z.string()) }),
  reply: z.object({ id: word("id", z.string()), label: z.string() }),
} as const satisfies Endpoint;

const volume = z.object({
  id: z.int(),
  label: z.string(),
  node_id: z.int().nullable(),
  node_label: z.string().nullable(),
  scopes: word("scopes", z.string()),
  capabilities: z.array(word("capability", z.string())),
  action: word("action", openEnum(["node_boot", "node_create", "balancer_node_create", "volume_attach"])),
  entity: entity.nullable(),
});

const volumes = {
  method: "GET",
  path: "/volumes",
  summary: "List volumes",
  tag: "Nodes",
  scope: "nodes:read_only",
  filterable: ["label", "node_id", "action", "capabilities", "entity.id", "entity.type", "entity.label"],
  reply: pageOf(volume),
} as const satisfies Endpoint;

const tagged = {
  method: "GET",
  path: "/tags/{label}",
  summary: "List tagged objects",
  tag: "Tags",
  scope: "account:read_only",
  params: z.object({ label: z.string() }),
  reply: pageOf(
    z.object({
      type: word("entity", openEnum(["node", "volume"])),
      data: z.union([volume, z.object({ nodes: z.array(z.int()), entity: z.object({ node_label: z.string() }) })]),
    }),
  ),
} as const satisfies Endpoint;

describe("what is translated, as documented and as live", () => {
  const { params, body, reply, path, scope } = translationOf(disk, "live");

  test("the path, and the scope", () => {
    expect([path, scope]).toEqual(["/linode/instances/{nodeId}/disks", "linodes:read_write"]);
    expect(translationOf(kernel, "live")).toMatchObject({ path: "/linode/kernels/{kernelId}", scope: null });
    expect(translationOf(volumes, "live")).toMatchObject({ path: "/volumes", scope: "linodes:read_only" });
  });

  test("parameters of the path that are words", () => {
    const { params: ofKernel } = translationOf(kernel, "live");
    expect(ofKernel({ kernelId: "node/latest-64bit" }, "live")).toEqual({ kernelId: "linode/latest-64bit" });
    expect(ofKernel({ kernelId: "linode/latest-64bit" }, "documented")).toEqual({ kernelId: "node/latest-64bit" });
    expect(params({ nodeId: 12 }, "live")).toEqual({ nodeId: 12 });
    expect(translationOf(tagged, "live").params({ label: "linode/x" }, "documented")).toEqual({ label: "linode/x" });
  });

  test.each<[string, documented: object, live: object]>([
    ["keys", { deployscript_id: 7, size: 1 }, { stackscript_id: 7, size: 1 }],
    ["ids", { image: "node/debian12" }, { image: "linode/debian12" }],
    ["null", { image: null, deployscript_id: null }, { image: null, stackscript_id: null }],
    [
      "the key of a map, not its contents",
      { deployscript_data: { node_id: "node/x" } },
      { stackscript_data: { node_id: "node/x" } },
    ],
    ["objects in a map", { devices: { nodes: { node_id: 1 } } }, { devices: { nodes: { linode_id: 1 } } }],
    ["objects in a list", { interfaces: [{ node_label: "node" }] }, { interfaces: [{ linode_label: "node" }] }],
    ["no free text", { label: "linode_boot node/debian12" }, { label: "linode_boot node/debian12" }],
    ["no unknown key", { nodes: [1], node_id: 1, kernel: "node/x" }, { nodes: [1], node_id: 1, kernel: "node/x" }],
    ["no value of another type", { image: 5, interfaces: "node" }, { image: 5, interfaces: "node" }],
  ])("a body: %s", (_, documented, live) => {
    expect([body(documented, "live"), body(live, "documented")]).toEqual([live, documented]);
  });

  test.each([undefined, null, 1, "node/x", ["node/x"]])("a body that is %j stays", (value) => {
    expect(body(value, "live")).toEqual(value);
  });

  test("a reply, its keys in their order", () => {
    const documented = { node_id: 12, label: "Node", filesystem_path: "/dev/disk/by-id/scsi-0Node_Volume_a" };
    const live = { linode_id: 12, label: "Node", filesystem_path: "/dev/disk/by-id/scsi-0Linode_Volume_a" };
    expect(JSON.stringify(reply(documented, "live"))).toBe(JSON.stringify(live));
    expect(JSON.stringify(reply(live, "documented"))).toBe(JSON.stringify(documented));
  });

  test("both spellings may come in; of one key in both, the other side's counts", () => {
    expect(body({ deployscript_id: 1, image: "node/debian12" }, "documented")).toEqual({
      deployscript_id: 1,
      image: "node/debian12",
    });
    expect(body({ stackscript_id: 2, deployscript_id: 1 }, "documented")).toEqual({ deployscript_id: 2 });
    expect(body({ deployscript_id: 1, stackscript_id: 2 }, "documented")).toEqual({ deployscript_id: 2 });
  });

  test("keys like those of Object's prototype are ordinary keys", () => {
    const sent = JSON.parse('{"__proto__":{"node_id":1},"constructor":"node/x","deployscript_id":1}');
    expect(JSON.stringify(body(sent, "live"))).toBe(
      '{"__proto__":{"node_id":1},"constructor":"node/x","stackscript_id":1}',
    );
  });

  test("an endpoint without words gives back the same values", () => {
    const { reply, body } = translationOf(endpoints.updateRecord, "live");
    const value = { name: "node", target: "linode" };
    expect(reply(value, "live")).toBe(value);
    expect(body(value, "documented")).toBe(value);
    const page = { data: [value] };
    expect(translationOf(endpoints.listRecords, "live").reply(page, "live")).toBe(page);
    expect(translationOf(endpoints.listDomains, "live").reply(page, "live")).toBe(page);
  });

  test("for a service with documented words nothing is", () => {
    const { body, reply, error, filter, attribute, ...rest } = translationOf(disk, "documented");
    const value = { stackscript_id: 1, deployscript_id: 2, node_id: 3, image: "linode/x" };
    expect([body(value, "documented"), reply(value, "live"), rest.path]).toEqual([value, value, disk.path]);
    expect(error({ field: "stackscript_id", reason: "" }, "live")).toEqual({ field: "stackscript_id", reason: "" });
    expect([filter({ linode_id: 1 }), attribute("node_id"), rest.scope]).toEqual([
      { linode_id: 1 },
      "node_id",
      disk.scope,
    ]);
  });
});

describe("entities", () => {
  const { reply } = translationOf(endpoints.getEvent, "live");

  test.each<[documented: object, live: object]>([
    [
      { label: "node12", id: 12, type: "node", url: "/v4/node/instances/12" },
      { label: "node12", id: 12, type: "linode", url: "/v4/linode/instances/12" },
    ],
    [
      { label: "My Debian", id: "node/debian12", type: "image", url: "/v4/images/node/debian12" },
      { label: "My Debian", id: "linode/debian12", type: "image", url: "/v4/images/linode/debian12" },
    ],
    [
      { label: "node/web", id: "node/web", type: "tag", url: "/v4/tags/node/web" },
      { label: "node/web", id: "node/web", type: "tag", url: "/v4/tags/node/web" },
    ],
    [
      { label: "node.example", id: 1, type: "domain", url: "/v4/domains/1" },
      { label: "node.example", id: 1, type: "domain", url: "/v4/domains/1" },
    ],
  ])("%j is %j live", (documented, live) => {
    const event = { action: "node_create", message: "node_create", entity: documented, secondary_entity: null };
    const spelled = { action: "linode_create", message: "node_create", entity: live, secondary_entity: null };
    expect([reply(event, "live"), reply(spelled, "documented")]).toEqual([spelled, event]);
  });
});

describe("errors", () => {
  const { error } = translationOf(disk, "live");

  test.each<
    [documented: [field: string | undefined, reason: string], live: [field: string | undefined, reason: string]]
  >([
    [
      ["deployscript_id", "deployscript_id is not valid"],
      ["stackscript_id", "stackscript_id is not valid"],
    ],
    [
      ["deployscript_id", "The deployscript_id"],
      ["stackscript_id", "The deployscript_id"],
    ],
    [
      ["interfaces[0].node_label", "Too long"],
      ["interfaces[0].linode_label", "Too long"],
    ],
    [
      ["devices.sda.node_id", "Too large"],
      ["devices.sda.linode_id", "Too large"],
    ],
    [
      ["deployscript_data.node_id", "Required"],
      ["stackscript_data.node_id", "Required"],
    ],
    [
      ["label", "label is required"],
      ["label", "label is required"],
    ],
    [
      ["node_id", "Not a field of the body"],
      ["node_id", "Not a field of the body"],
    ],
    [
      ["X-Filter", "Cannot filter on node_id"],
      ["X-Filter", "Cannot filter on node_id"],
    ],
    [
      [undefined, "Node busy."],
      [undefined, "Node busy."],
    ],
  ])("%j is %j live", ([field, reason], [liveField, liveReason]) => {
    const documented = { reason, ...(field !== undefined && { field }) };
    const live = { reason: liveReason, ...(liveField !== undefined && { field: liveField }) };
    expect([error(documented, "live"), error(live, "documented")]).toEqual([live, documented]);
  });
});

describe("filters", () => {
  const { filter, filterQuery, attribute } = translationOf(volumes, "live");
  const names = volumes.filterable;
  const liveNames = ["label", "linode_id", "action", "capabilities", "entity.id", "entity.type", "entity.label"];
  const read = (text: Filter) => filterQuery(parseFilter(JSON.stringify(text), liveNames));
  const asDocumented = (text: Filter) => parseFilter(JSON.stringify(text), names);

  test("attributes have their live names", () => {
    expect([...names, "node_label", "other"].map(attribute)).toEqual([...liveNames, "linode_label", "other"]);
  });

  test.each<[documented: Filter, live: Filter]>([
    [{ node_id: 12 }, { linode_id: 12 }],
    [
      { "entity.type": "node", action: "node_boot" },
      { "entity.type": "linode", action: "linode_boot" },
    ],
    [{ action: { "+neq": "node_boot" } }, { action: { "+neq": "linode_boot" } }],
    [{ capabilities: "Nodes" }, { capabilities: "Linodes" }],
    [{ node_id: null }, { linode_id: null }],
    [
      { "+order_by": "node_id", "+order": "desc" },
      { "+order_by": "linode_id", "+order": "desc" },
    ],
    [
      { "+or": [{ node_id: 1 }, { "+and": [{ action: "console_boot" }] }] },
      { "+or": [{ linode_id: 1 }, { "+and": [{ action: "lish_boot" }] }] },
    ],
    [
      { label: "node", "entity.label": "node" },
      { label: "node", "entity.label": "node" },
    ],
    [{ label: { "+contains": "linode_" } }, { label: { "+contains": "linode_" } }],
    [{ "entity.id": "node/x" }, { "entity.id": "node/x" }],
  ])("%j is %j live", (documented, live) => {
    expect(filter(documented)).toEqual(live);
    expect(read(live)).toEqual(asDocumented(documented));
  });

  test("the documented spelling is understood too", () => {
    const query = asDocumented({ node_id: 12, action: "node_boot" });
    expect(filterQuery(query)).toEqual(query);
  });

  test.each([
    ["linode", ["node_boot", "node_create"]],
    ["node_", ["node_boot", "node_create", "balancer_node_create"]],
    ["create", ["node_create", "balancer_node_create"]],
    ["watchdog", []],
  ])("+contains %j finds words by their live spelling", (text, actions) => {
    const where = actions.map((value) => ({ kind: "compare", attribute: "action", operator: "=", value }));
    expect(read({ action: { "+contains": text } })).toEqual({
      where: { kind: "and", parts: [{ kind: "or", parts: where }] },
    });
  });
});

/** Free text that looks like words. */
const treacherous = [
  "node",
  "linode",
  "node_boot",
  "linode_boot",
  "node/debian12",
  "linode/debian12",
  "/v4/linode/instances/1",
  "nodes:read_write linodes:*",
  "Linodes",
  "linode12",
];

/** A value as documented and as live. */
type Pair = readonly [documented: unknown, live: unknown];

const both = (values: fc.Arbitrary<unknown>): fc.Arbitrary<Pair> => values.map((value) => [value, value]);
const freeText = both(fc.oneof(fc.constantFrom(...treacherous), fc.string({ maxLength: 8 })));

const entities: Pair[] = [
  [
    { label: "linode", id: 12, type: "node", url: "/v4/node/instances/12" },
    { label: "linode", id: 12, type: "linode", url: "/v4/linode/instances/12" },
  ],
  [
    { label: "node", id: "node/debian12", type: "image", url: "/v4/images/node/debian12" },
    { label: "node", id: "linode/debian12", type: "image", url: "/v4/images/linode/debian12" },
  ],
  [
    { label: "linode/a", id: "linode/a", type: "tag", url: "/v4/tags/linode/a" },
    { label: "linode/a", id: "linode/a", type: "tag", url: "/v4/tags/linode/a" },
  ],
];

/** Values of a schema in both spellings, by the tables of `word-pairs.ts`. */
function pairsOf(schema: z.core.$ZodType): fc.Arbitrary<Pair> {
  if (isEntity(schema)) return fc.constantFrom(...entities);
  const kind = documentation.get(schema)?.word;
  if (kind !== undefined && kind !== "entityId") return fc.constantFrom(...wordPairs[kind]);
  if (schema instanceof z.ZodObject) return objects(schema);
  if (schema instanceof z.ZodArray)
    return fc.array(pairsOf(schema.element), { maxLength: 3 }).map((items) => unzip(items, (values) => values));
  if (schema instanceof z.ZodRecord)
    return fc
      .array(fc.tuple(fc.constantFrom(...treacherous), pairsOf(schema.valueType)), { maxLength: 3 })
      .map((entries) => {
        const keys = entries.map(([key]) => key);
        return unzip(
          entries.map(([, pair]) => pair),
          (values) => Object.fromEntries(values.map((value, at) => [keys[at], value])),
        );
      });
  if (schema instanceof z.ZodUnion) return fc.oneof(...schema.options.map(pairsOf));
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault)
    return fc.oneof(pairsOf(schema.unwrap()), both(fc.constant(undefined)));
  if (schema instanceof z.ZodNullable) return fc.oneof(pairsOf(schema.unwrap()), both(fc.constant(null)));
  if (schema instanceof z.ZodEnum) return both(fc.constantFrom(...schema.options));
  if (schema instanceof z.ZodNumber) return both(fc.integer());
  if (schema instanceof z.ZodBoolean) return both(fc.boolean());
  if (schema instanceof z.ZodString || schema instanceof z.ZodUnknown) return freeText;
  throw new Error(`no values of ${schema._zod.def.type}`);
}

function isEntity(schema: z.core.$ZodType): boolean {
  return schema instanceof z.ZodObject && kindOf(schema, ["id"]) === "entityId";
}

/** Objects with all their keys, and an unknown one. */
function objects({ shape }: z.ZodObject): fc.Arbitrary<Pair> {
  const names = [...Object.keys(shape), "linode_unknown"];
  const values = [...Object.values(shape).map(pairsOf), freeText];
  return fc
    .tuple(...values)
    .map((pairs) => [
      Object.fromEntries(pairs.map(([documented], at) => [names[at], documented])),
      Object.fromEntries(pairs.map(([, live], at) => [keyPairs[names[at] ?? ""] ?? names[at], live])),
    ]);
}

function unzip(pairs: readonly Pair[], build: (values: unknown[]) => unknown): Pair {
  return [build(pairs.map(([documented]) => documented)), build(pairs.map(([, live]) => live))];
}

const made: Record<string, Endpoint> = { disk, kernel, volumes, tagged };
const every = Object.entries<Endpoint>({ ...endpoints, ...made });
const record = z.record(z.string(), z.unknown());

const parts = every.flatMap(([name, endpoint]) => {
  const { params, body, reply } = translationOf(endpoint, "live");
  const ofPath = (value: unknown, to: Spelling) => params(record.parse(value), to);
  return [
    { part: `the parameters of ${name}`, schema: endpoint.params, respell: ofPath },
    { part: `the body of ${name}`, schema: endpoint.media ? undefined : endpoint.body, respell: body },
    { part: `the reply of ${name}`, schema: endpoint.reply, respell: reply },
  ].flatMap(({ schema, ...rest }) => (schema ? [{ ...rest, schema }] : []));
});

test.each(parts)("there and back, $part is the same, and its free text never changes", ({ schema, respell }) => {
  fc.assert(
    fc.property(pairsOf(schema), ([documented, live]) => {
      expect(respell(documented, "live")).toEqual(live);
      expect(respell(live, "documented")).toEqual(documented);
      expect(respell(live, "live")).toEqual(live);
      expect(respell(documented, "documented")).toEqual(documented);
    }),
    samples(100),
  );
});

/** The kind of word of an attribute of a list's items, if it has one. */
function kindOf(schema: z.core.$ZodType | undefined, path: readonly string[]): WordKind | undefined {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) return kindOf(schema.unwrap(), path);
  if (schema instanceof z.ZodArray) return kindOf(schema.element, path);
  const [key, ...rest] = path;
  if (schema instanceof z.ZodObject && key !== undefined) return kindOf(schema.shape[key], rest);
  return schema && documentation.get(schema)?.word;
}

const lists = every
  .filter(([, endpoint]) => isList(endpoint))
  .map(([name, endpoint]) => ({
    name,
    attributes: attributesOf(endpoint, "live"),
    ...translationOf(endpoint, "live"),
    reply: endpoint.reply,
  }));

test.each(lists)(
  "there and back, a filter of $name is the same",
  ({ attributes, attribute, filter, filterQuery, reply }) => {
    const comparisons = attributes.map((name) => {
      const kind = kindOf(reply, ["data", ...name.split(".")]);
      const values =
        kind === undefined || kind === "entityId" ? treacherous.map((text) => [text, text] as const) : wordPairs[kind];
      const operators = fc.constantFrom("", "+gt", "+neq");
      const condition = (operator: string, value: string) => (operator === "" ? value : { [operator]: value });
      return fc
        .tuple(operators, fc.constantFrom(...values))
        .map(([operator, [documented, live]]): [Filter, Filter] => [
          { [name]: condition(operator, documented) },
          { [attribute(name)]: condition(operator, live) },
        ]);
    });
    const { node } = fc.letrec<{ node: [Filter, Filter] }>((tie) => ({
      node: fc.oneof(
        { maxDepth: 2 },
        ...comparisons,
        fc
          .tuple(fc.constantFrom("+and", "+or"), fc.array(tie("node"), { maxLength: 3 }))
          .map(([key, parts]): [Filter, Filter] => [
            { [key]: parts.map(([documented]) => documented) },
            { [key]: parts.map(([, live]) => live) },
          ]),
      ),
    }));
    const orders = fc.constantFrom(...attributes);
    fc.assert(
      fc.property(node, orders, ([documented, live], order) => {
        const asDocumented = { ...documented, "+order_by": order };
        const asLive = { ...live, "+order_by": attribute(order) };
        expect(filter(asDocumented)).toEqual(asLive);
        const read = filterQuery(parseFilter(JSON.stringify(asLive), attributes.map(attribute)));
        expect(read).toEqual(parseFilter(JSON.stringify(asDocumented), attributes));
      }),
    );
  },
);

/** The kind of word of fields by their names, wherever they are. */
const kindsByName: Readonly<Record<string, WordKind>> = {
  action: "action",
  capabilities: "capability",
  filesystem_path: "device",
  image: "id",
  imageId: "id",
  kernel: "id",
  kernelId: "id",
  scopes: "scopes",
};

/** The paths of texts in a schema that are words by their name, or as parts of an entity, but not marked as such. */
function unmarked(schema: z.core.$ZodType, path: readonly string[] = []): string[] {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault)
    return unmarked(schema.unwrap(), path);
  if (schema instanceof z.ZodArray) return unmarked(schema.element, path);
  if (schema instanceof z.ZodUnion) return schema.options.flatMap((option) => unmarked(option, path));
  if (!(schema instanceof z.ZodObject)) return [];
  const { shape } = schema;
  const ofEntity: Record<string, WordKind> = { id: "entityId", type: "entity", url: "path" };
  const isEntity = Object.keys(ofEntity).every((key) => key in shape);
  const isFirewallRule = "ports" in shape; // its action is not an event's
  return Object.entries(shape).flatMap(([key, type]) => {
    const expected = isEntity ? ofEntity[key] : isFirewallRule ? undefined : kindsByName[key];
    const isMarked = expected === undefined || kindOf(type, []) === expected;
    return [...(isMarked ? [] : [[...path, key].join(".")]), ...unmarked(type, [...path, key])];
  });
}

test("every field that has words is marked", () => {
  const found = every.flatMap(([name, { params, body, reply }]) =>
    [params, body, reply].flatMap((schema) => (schema ? unmarked(schema, [name]) : [])),
  );
  expect(found).toEqual([]);
});
