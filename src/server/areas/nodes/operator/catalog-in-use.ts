import { advise } from "../../../../diagnostics/advice.ts";
import { type Problem, ProblemError, problem } from "../../../../diagnostics/problem.ts";
import { count } from "../../../../diagnostics/quantities.ts";
import type { Catalog } from "../../../catalog/schema.ts";
import type { Store } from "../../../store/store.ts";
import type { Database } from "../../../store/tables.ts";
import { defaultKernel } from "../jobs/create.ts";
import type { NodeJobData } from "../jobs/jobs.ts";

type Section = "regions" | "types" | "images" | "kernels";

/** The ids of nodes and volumes that use the entry of this id in a section of the catalogue. */
interface Use {
  readonly section: Section;
  readonly id: string;
  readonly nodes: ReadonlySet<number>;
  readonly volumes: ReadonlySet<number>;
}

/** @throws {ProblemError} `catalog-in-use` for each entry that nodes or volumes use and the catalogue lacks. */
export async function requireEntriesInUse(store: Store, catalog: Catalog): Promise<void> {
  const uses = await store.read(listUses);
  const lacking = uses.filter(({ section, id }) => !catalog[section].some((entry) => entry.id === id));
  if (lacking.length > 0) throw new ProblemError(lacking.map(problemOf));
}

function problemOf({ section, id, nodes, volumes }: Use): Problem {
  const users = [
    ...(nodes.size > 0 ? [count(nodes.size, "node")] : []),
    ...(volumes.size > 0 ? [count(volumes.size, "volume")] : []),
  ];
  const summary = `the catalogue lacks ${words[section]} "${id}", which is in use by ${users.join(" and ")}`;
  const keep = section === "kernels" ? "Put it back, with deprecated: true if it should not be chosen" : "Put it back";
  const fix = advise`${keep}, or delete what uses it first. ${{ run: "server operator node list" }} shows the nodes.`;
  return problem("catalog-in-use", summary, { fix });
}

const words: Readonly<Record<Section, string>> = {
  regions: "the region",
  types: "the type",
  images: "the image",
  kernels: "the kernel",
};

async function listUses(db: Database): Promise<Use[]> {
  const uses = new Map<string, { section: Section; id: string; nodes: Set<number>; volumes: Set<number> }>();
  const add = (kind: "nodes" | "volumes", user: number, section: Section, id: string | null | undefined) => {
    if (id == null) return;
    const key = `${section} ${id}`;
    const use = uses.get(key) ?? { section, id, nodes: new Set(), volumes: new Set() };
    uses.set(key, use);
    use[kind].add(user);
  };
  const nodes = await db.selectFrom("nodes").select(["id", "region", "type", "image"]).orderBy("id").execute();
  for (const { id, region, type, image } of nodes) {
    add("nodes", id, "regions", region);
    add("nodes", id, "types", type);
    add("nodes", id, "images", image);
  }
  const configs = await db
    .selectFrom("node_configs")
    .select(["node_id", "kernel"])
    .where("kernel", "!=", defaultKernel) // configuration profiles get it even if the catalogue lacks it
    .execute();
  for (const { node_id, kernel } of configs) add("nodes", node_id, "kernels", kernel);
  for (const { id, region } of await db.selectFrom("volumes").select(["id", "region"]).execute())
    add("volumes", id, "regions", region);
  const jobs = await db.selectFrom("jobs").select(["entity_id", "data"]).where("entity_type", "=", "node").execute();
  for (const { entity_id, data } of jobs) {
    const { region, type, deploys }: NodeJobData = JSON.parse(data);
    add("nodes", entity_id, "regions", region);
    add("nodes", entity_id, "types", type);
    add("nodes", entity_id, "images", deploys?.image);
  }
  return [...uses.values()];
}
