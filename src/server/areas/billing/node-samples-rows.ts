import type { Database } from "../../store/tables.ts";

/** The measured numbers of a sample, by the names of its columns in a file. */
export const sampleKeys = [
  "cpu",
  "io",
  "swap",
  "netv4_in",
  "netv4_out",
  "netv4_private_in",
  "netv4_private_out",
  "netv6_in",
  "netv6_out",
  "netv6_private_in",
  "netv6_private_out",
] as const;
export type SampleKey = (typeof sampleKeys)[number];
export type Measures = Readonly<Record<SampleKey, number>>;

/** The number that `of` gives each. */
export function measuresBy(of: (key: SampleKey) => number): Measures {
  return {
    cpu: of("cpu"),
    io: of("io"),
    swap: of("swap"),
    netv4_in: of("netv4_in"),
    netv4_out: of("netv4_out"),
    netv4_private_in: of("netv4_private_in"),
    netv4_private_out: of("netv4_private_out"),
    netv6_in: of("netv6_in"),
    netv6_out: of("netv6_out"),
    netv6_private_in: of("netv6_private_in"),
    netv6_private_out: of("netv6_private_out"),
  };
}

/** The means of five minutes. */
export interface Sample extends Measures {
  /** Their beginning. */
  readonly at: string;
}

/** Stores samples; one of the same five minutes replaces the former. */
export async function storeSamples(db: Database, node_id: number, samples: readonly Sample[]): Promise<void> {
  for (const { at, ...measures } of samples) {
    const stored = JSON.stringify(measures);
    await db
      .insertInto("node_samples")
      .values({ node_id, at, measures: stored })
      .onConflict((conflict) => conflict.columns(["node_id", "at"]).doUpdateSet({ measures: stored }))
      .execute();
  }
}

/** The samples of a node that begin from `from` until before `until`, the earliest first. */
export async function listSamples(db: Database, node_id: number, from: string, until: string): Promise<Sample[]> {
  const rows = await db
    .selectFrom("node_samples")
    .select(["at", "measures"])
    .where("node_id", "=", node_id)
    .where("at", ">=", from)
    .where("at", "<", until)
    .orderBy("at")
    .execute();
  return rows.map(({ at, measures }) => ({ at, ...(JSON.parse(measures) as Measures) }));
}

/** A time in which a node ran. */
export interface NodeRun {
  readonly started: string;
  /** Null while it runs. */
  readonly ended: string | null;
}

/** Notes that a node runs from now on, or no longer. Nothing changes if that is so already. */
export async function addNodeRun(db: Database, node_id: number, isRunning: boolean, now: string): Promise<void> {
  const open = db.selectFrom("node_runs").select("started").where("node_id", "=", node_id).where("ended", "is", null);
  const isOpen = (await open.executeTakeFirst()) !== undefined;
  if (isRunning && !isOpen) await db.insertInto("node_runs").values({ node_id, started: now, ended: null }).execute();
  if (!isRunning && isOpen)
    await db
      .updateTable("node_runs")
      .set({ ended: now })
      .where("node_id", "=", node_id)
      .where("ended", "is", null)
      .execute();
}

/** The times in which a node ran that have not ended before `from`. */
export function listNodeRuns(db: Database, node_id: number, from: string): Promise<NodeRun[]> {
  return db
    .selectFrom("node_runs")
    .select(["started", "ended"])
    .where("node_id", "=", node_id)
    .where((eb) => eb.or([eb("ended", "is", null), eb("ended", ">", from)]))
    .orderBy("started")
    .execute();
}

/** Whether a node ever ran, or has samples. */
export async function hasSamples(db: Database, node_id: number): Promise<boolean> {
  const of = (table: "node_runs" | "node_samples") =>
    db.selectFrom(table).select("node_id").where("node_id", "=", node_id).limit(1).executeTakeFirst();
  return (await of("node_runs")) !== undefined || (await of("node_samples")) !== undefined;
}
