import * as z from "zod";
import { readSettings } from "../../config/settings-file.ts";
import { nearest } from "../../diagnostics/nearest.ts";
import { embeddedCatalog } from "./embedded.ts";
import { type Catalog, catalogFileSchema, idSchema, imageIdSchema } from "./schema.ts";

/**
 * Reads a catalogue file. A section that it omits is that of the embedded catalogue.
 * @throws {ProblemError} that names the wrong keys and values, up to 200, with their places.
 */
export function readCatalog(file: string, content: string | Uint8Array): Catalog {
  const { value } = readSettings(file, content, { schema: catalogFileSchema, empty: {}, check: findIdIssues });
  return { ...embeddedCatalog, ...value };
}

const anyId = z.union([z.string(), z.number()]).optional().catch(undefined);
const noEntry = { images: [] };
const entries = z
  .array(
    z
      .object({
        id: anyId,
        successor: idSchema.optional().catch(undefined),
        images: z.array(imageIdSchema.optional().catch(undefined)).catch([]),
      })
      .catch(noEntry),
  )
  .catch([]);

/** The ids in a file, which may have other errors. */
const idsSchema = z
  .object({ regions: entries, types: entries, images: entries.optional(), kernels: entries, deployscripts: entries })
  .catch({ regions: [], types: [], images: [], kernels: [], deployscripts: [] });

/** Ids that are not unique, and ids of types and images that do not exist. */
function findIdIssues(file: unknown): z.core.$ZodIssue[] {
  const issues: z.core.$ZodIssue[] = [];
  const report = (path: (string | number)[], message: string, fix?: () => string | undefined) =>
    issues.push({ code: "custom", path, message, params: { fix } });

  const { images: ownImages, ...others } = idsSchema.parse(file);
  const lists = { ...others, images: ownImages ?? [] };
  for (const [section, list] of Object.entries(lists)) {
    const places = new Map<string | number, number>();
    for (const [index, { id }] of list.entries()) {
      if (id === undefined) continue;
      const first = places.get(id);
      if (first === undefined) places.set(id, index);
      else {
        const message = `must be unique, but ${JSON.stringify(id)} is the id of entry ${first + 1}`;
        report([section, index, "id"], message, () => "Write an id that no other entry has.");
      }
    }
  }

  // An invalid id makes references to it invalid too, but only the id is reported.
  const types = wellFormed(lists.types, idSchema);
  for (const [index, { id, successor }] of lists.types.entries()) {
    if (successor === undefined || !types || (types.has(successor) && successor !== id)) continue;
    const message = `must be the id of another type, not "${successor}"`;
    report(["types", index, "successor"], message, () => hint(successor, types));
  }
  const images = wellFormed(ownImages ?? embeddedCatalog.images, imageIdSchema);
  for (const [index, script] of lists.deployscripts.entries())
    for (const [place, image] of script.images.entries()) {
      if (image === undefined || !images || images.has(image)) continue;
      const path = ["deployscripts", index, "images", place];
      report(path, `must be the id of an image, not "${image}"`, () => hint(image, images));
    }
  return issues;
}

/** The ids of a list; undefined unless all are well-formed. */
function wellFormed(
  list: readonly { readonly id?: unknown }[],
  schema: z.ZodType<string>,
): ReadonlySet<string> | undefined {
  const ids = z.array(schema).safeParse(list.map(({ id }) => id)).data;
  return ids && new Set(ids);
}

/** Maximum number of ids that are compared with a wrong one; catalogues have fewer. */
const mostCompared = 1000;

function hint(written: string, known: ReadonlySet<string>): string | undefined {
  const near = known.size > mostCompared ? undefined : nearest(written, known);
  return near === undefined || near === written ? undefined : `Did you mean "${near}"?`;
}
