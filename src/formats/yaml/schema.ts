import * as z from "zod";
import { duration, type Field, flags, preference, uint8, uint16, uint32 } from "../../dns/rdata/field.ts";
import { displayNameOf, type RecordType } from "../../dns/rdata/record-type.ts";
import { recordTypes } from "../../dns/types/index.ts";
import type { Setting } from "../../dns/zone/zone-settings.ts";
import { takesReference } from "./node-reference.ts";
import { parameterName, parameterTypes } from "./template.ts";
import { withRfcName } from "./value.ts";

/** A rule for completion: its id and the reason for it. */
export interface SchemaRule {
  readonly id: string;
}

interface Meta extends Record<string, unknown> {
  id?: string;
  description?: string;
  examples?: unknown[];
}

/** Adds the description of a schema, or with `id` makes it a definition. */
type Describe = <T extends z.ZodType>(schema: T, meta: Meta) => T;

/**
 * The JSON Schema (draft 7, which editors know best) of a zone file in YAML: for completion and validation in editors.
 * It describes the structure; names, addresses and texts are checked by the reader. Numbers inside objects must be
 * unquoted, although the reader also accepts quotes. `excusable` are the rules that `lenient` can name.
 */
export function zoneJsonSchema(
  settings: readonly Setting[],
  lowerable: readonly SchemaRule[],
): Record<string, unknown> {
  const making = new SharedSchemas(lowerable);
  const { describe, shapes, records } = making;
  const ignore = describe(
    z.strictObject({
      name: describe(shapes.text.optional(), { description: "Owner name relative to the zone; * matches any text" }),
      type: describe(shapes.text.optional(), { description: "Record type; * matches any type" }),
      value: describe(shapes.text.optional(), { description: "RDATA as in a zone file; * matches any text" }),
      reason: describe(
        z.lazy(() => shapes.text),
        { description: "Why the records are left alone" },
      ),
      until: describe(
        z
          .string()
          .regex(/^\d{4}-\d\d-\d\d$/)
          .optional(),
        { description: "Last day on which the pattern applies" },
      ),
    }),
    { id: "ignore", description: "A pattern; records match if every given field matches" },
  );
  const templateName = z.string().regex(/^[^\s,/\\]+$/);
  const uses = z.record(templateName, z.record(z.string(), shapes.oneOrMore(shapes.text)).nullable());
  const use = z.union([templateName, describe(z.record(templateName, uses.valueType), { minProperties: 1 })]);
  const zone = z.strictObject({
    zone: describe(z.string().optional(), {
      description: "The name of the zone, if it differs from the file's name",
    }),
    templates: describe(z.union([templateName, uses, z.array(use), z.null()]).optional(), {
      description: "Templates whose records the zone has, too; those with parameters as a map of their values",
      examples: [["no-mail"]],
    }),
    ...making.settings(settings),
    manage: describe(z.enum(["all", "listed"]).optional(), {
      description:
        "all: records that the file does not list are deleted. listed: only the record types that it lists at a name are managed",
    }),
    targets: describe(shapes.oneOrMore(z.string()).optional(), {
      description: "The targets that the zone is applied to, of those of its folder; all of them if absent",
    }),
    ignore: describe(shapes.oneOrMore(ignore).optional(), { description: "Live records that are left alone" }),
    records: describe(records.optional(), {
      description: "Owner names relative to the zone, with @ for the apex; each maps record types to values",
      examples: [{ "@": { A: "192.0.2.1" } }],
    }),
  });
  return making.schema(describe(zone, { description: "A DNS zone for zonewright" }), "zone", "Zone file");
}

/** The JSON Schema of a template: as a zone file, with parameters in its strings. */
export function templateJsonSchema(
  settings: readonly Setting[],
  lowerable: readonly SchemaRule[],
): Record<string, unknown> {
  const making = new SharedSchemas(lowerable, { isTemplate: true });
  const { describe, shapes, records } = making;
  const names = Object.keys(parameterTypes);
  const lists = names.map((name) => `list of ${name}`);
  const type = (names: readonly string[]) =>
    describe(z.enum(names), { description: "The values that a zone can give" });
  const parameterOf = (names: readonly string[], value: z.ZodType) =>
    z.strictObject({
      type: type(names),
      default: describe(value.optional(), {
        description: "The value where a zone gives none; without it a zone must give one",
      }),
      description: describe(shapes.text.optional(), { description: "For people who use the template" }),
    });
  const parameter = z.union([
    type([...names, ...lists]),
    parameterOf(names, shapes.text),
    parameterOf(lists, shapes.oneOrMore(shapes.text)),
  ]);
  const givenName = new RegExp(parameterName.source.replace("^", "^(?!zone$)"));
  const template = z.strictObject({
    parameters: describe(z.record(z.string().regex(givenName), parameter).optional(), {
      description: "Parameters, which texts of the template use as $(name); $(zone) is the zone's name",
      examples: [{ host: { type: "hostname", default: "mx1" } }],
    }),
    ...making.settings(settings),
    records: describe(records.optional(), {
      description: "Names relative to the zone that uses the template; @ is the zone itself",
      examples: [{ "@": { MX: "10 $(host)" } }],
    }),
  });
  const described = describe(template, {
    description: "Records that DNS zones for zonewright share",
    minProperties: 1,
  });
  return making.schema(described, "template", "Template of zone files");
}

/** The parts that zone files and templates share. */
class SharedSchemas {
  readonly #metadata = z.registry<Meta>();
  readonly #owner: z.ZodType;
  readonly shapes: ValueSchemas;
  readonly records: z.ZodType;

  constructor(lowerable: readonly SchemaRule[], { isTemplate = false } = {}) {
    this.shapes = new ValueSchemas(this.describe, isTemplate);
    const rule = this.describe(z.enum(lowerable.map(({ id }) => id)), { id: "rule" });
    const targets = this.describe(this.shapes.oneOrMore(z.string()), { description: "Targets where it holds" });
    const excuses = this.shapes.oneOrMore(z.union([rule, z.strictObject({ rule, targets })])).optional();
    const owner = z.strictObject({
      lenient: this.describe(excuses, {
        description: "Rules whose severity is lowered by one step at this name: error to warning, warning to note",
      }),
      ...Object.fromEntries(recordTypes.map((type) => [type.type, this.shapes.set(type).optional()])),
    });
    this.#owner = owner;
    this.records = z.record(
      z.string(),
      this.describe(owner, { id: "owner", description: "The RRsets of a name by type" }),
    );
  }

  readonly describe: Describe = (schema, meta) => {
    this.#metadata.add(schema, meta);
    return schema;
  };

  settings(settings: readonly Setting[]): Record<string, z.ZodType> {
    return Object.fromEntries(
      settings.map((one) => {
        const schema = this.describe(setting(one, this.shapes).optional(), { description: one.about });
        return [one.name, schema] as const;
      }),
    );
  }

  schema(whole: z.ZodType, name: string, title: string): Record<string, unknown> {
    const schema = z.toJSONSchema(whole, {
      target: "draft-7",
      metadata: this.#metadata,
      override: ({ zodSchema, jsonSchema }) => {
        const given: unknown = zodSchema;
        if (given === this.#owner) jsonSchema.patternProperties = anyCasePatterns();
        // As nullable it would be a choice, and every fault below would be shown at the word records.
        if (given === this.records) Object.assign(jsonSchema, { type: ["object", "null"] });
      },
    });
    const definitions = { ...(schema.definitions as object), TYPE: octets };
    return { $schema: schema.$schema, $id: `urn:zonewright:${name}`, title, ...schema, definitions };
  }
}

/** A type that zonewright does not know, as TYPE and its number (RFC 3597 §5). */
const octets = {
  description: "RDATA as \\#, its length, and two hexadecimal digits for each octet (RFC 3597)",
  examples: ["\\# 4 0a000001"],
};

/** Types are read in any case; editors complete capitals. */
function anyCasePatterns(): Record<string, { $ref: string }> {
  const pattern = (type: string) => `^${type.replace(/[A-Z]/g, (letter) => `[${letter}${letter.toLowerCase()}]`)}$`;
  return {
    ...Object.fromEntries(recordTypes.map(({ type }) => [pattern(type), { $ref: `#/definitions/${type}` }])),
    [`${pattern("TYPE").slice(0, -1)}[0-9]{1,5}$`]: { $ref: "#/definitions/TYPE" },
  };
}

function setting({ kind, choices }: Setting, shapes: ValueSchemas): z.ZodType {
  if (kind === "duration") return shapes.time;
  if (kind === "list") return shapes.oneOrMore(shapes.text).nullable();
  return choices ? shapes.orParameter(z.enum(choices)) : shapes.text;
}

class ValueSchemas {
  readonly #describe: Describe;
  /** Any scalar: YAML parses 012, 1.5 and true as other types, but the reader takes them as text. */
  readonly text: z.ZodType;
  readonly time: z.ZodType;

  readonly #isTemplate: boolean;

  constructor(describe: Describe, isTemplate: boolean) {
    this.#describe = describe;
    this.#isTemplate = isTemplate;
    this.text = describe(z.union([z.string(), z.number(), z.boolean()]), { id: "text" });
    const units = z.string().regex(/^(?:[0-9]+|(?:[0-9]+[smhdwSMHDW])+)$/);
    const time = this.orParameter(z.union([z.int().min(0).max(2147483647), units]));
    this.time = describe(time, { id: "time", examples: ["1h", 300] });
  }

  /** In a template a parameter may stand for a value that is not any text. */
  orParameter(schema: z.ZodType): z.ZodType {
    return this.#isTemplate ? z.union([schema, z.string().regex(/^\$\([a-z][a-z0-9_-]*\)$/)]) : schema;
  }

  oneOrMore(item: z.ZodType): z.ZodType {
    return z.union([item, z.array(item)]);
  }

  /** The RRset of one type: a value, a list of values, or either with a TTL. */
  set(type: RecordType): z.ZodType {
    const value = this.#describe(this.#value(type), {
      id: `${type.type}-value`,
      description: `One ${type.type} record`,
    });
    const overrides = this.#describe(z.boolean().optional(), {
      description: "Whether these records replace those of a template for this name and type",
    });
    const withTtl = z.strictObject({
      ttl_sec: this.time.optional(),
      ...(!this.#isTemplate && { override: overrides }),
      values: this.oneOrMore(value),
    });
    return this.#describe(z.union([value, z.array(z.union([value, withTtl])), withTtl]), {
      id: type.type,
      description: `The ${type.type} records`,
    });
  }

  #value(type: RecordType): z.ZodType {
    const { fields } = type;
    const isText = fields[0]?.kind.json === "texts";
    const examples = isText ? ["v=spf1 -all"] : [fields.map(({ example }) => example).join(" ")];
    const about = isText ? "The text itself" : `As in a zone file: ${fields.map(displayNameOf).join(" ")}`;
    const written = this.#describe(
      z.lazy(() => this.text),
      { description: about, examples },
    );
    const ofOwner = (type.ownerFields ?? []).map(
      (name) =>
        [name, this.#describe(this.text.optional(), { description: "Must agree with the owner name" })] as const,
    );
    const objectOf = (fields: readonly Field[]) =>
      z.strictObject(
        Object.fromEntries([...fields.map((field) => [displayNameOf(field), this.#field(field)] as const), ...ofOwner]),
      );
    const hasRfcNames = fields.some(({ apiName }) => apiName !== undefined);
    const objects = [objectOf(fields), ...(hasRfcNames ? [objectOf(fields.map(withRfcName))] : [])];
    const rdata = z.strictObject({ rdata: this.text });
    if (takesReference(type.type)) objects.push(this.#reference(type.type));
    const strings = this.#describe(z.array(this.text).min(1), { description: "Its strings, each up to 255 octets" });
    return z.union(isText ? [written, strings, ...objects, rdata] : [written, ...objects, rdata]);
  }

  /** A node of the service in place of an address. */
  #reference(type: string): z.ZodObject {
    const label = this.#describe(
      z.lazy(() => this.text),
      { description: "Label of a node, whose address the record gets when it is planned", examples: ["web-1"] },
    );
    const isPrivate = this.#describe(this.orParameter(z.boolean()).optional(), {
      description: "Whether it is the private IPv4 address",
    });
    return z.strictObject({ node: label, ...(type === "A" && { private: isPrivate }) });
  }

  #field(field: Field): z.ZodType {
    const { kind, about, example, default: usual } = field;
    const most = new Map<unknown, number>([
      [uint8, 255],
      [flags, 255],
      [uint16, 65535],
      [preference, 65535],
      [uint32, 4294967295],
    ]).get(kind);
    const shape = most === undefined ? this.#shape(kind) : this.orParameter(z.int().min(0).max(most));
    const schema = this.#describe(usual === undefined && !kind.mayBeEmpty ? z.lazy(() => shape) : shape.optional(), {
      description: about,
      examples: [most === undefined ? example : Number(example)],
    });
    return schema;
  }

  #shape(kind: Field["kind"]): z.ZodType {
    if (kind === duration) return this.time;
    return kind.json === "texts" || kind.json === "words" ? this.oneOrMore(this.text) : this.text;
  }
}
