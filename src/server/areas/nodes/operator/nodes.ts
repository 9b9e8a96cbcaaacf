import { advise } from "../../../../diagnostics/advice.ts";
import { problemError } from "../../../../diagnostics/problem.ts";
import { accountOf } from "../../../entities/account.ts";
import type { JobDriver } from "../../../kit/job-driver.ts";
import type { Store } from "../../../store/store.ts";
import type { Database, NodeRow } from "../../../store/tables.ts";
import { type Sample, storeSamples } from "../../billing/node-samples-rows.ts";
import { mailMeans, mailQuota, readUsedQuota } from "../jobs/alerts.ts";
import { crash } from "../jobs/watchdog.ts";
import { findNodeOwner, findNodeRow } from "../rows/nodes.ts";

/** A node as the operator lists it. */
export interface ListedNode extends Pick<NodeRow, "id" | "label" | "status" | "type" | "region"> {
  readonly account: string;
}

/** The nodes of all accounts, by account and id. */
export function listNodesOfAll(store: Store): Promise<ListedNode[]> {
  return store.read((db) =>
    db
      .selectFrom("nodes")
      .innerJoin("accounts", "accounts.id", "nodes.account_id")
      .select(["nodes.id", "accounts.name as account", "nodes.label", "nodes.status", "nodes.type", "nodes.region"])
      .orderBy("accounts.name")
      .orderBy("nodes.id")
      .execute(),
  );
}

/**
 * Stops a running node without a job. Returns whether its watchdog boots it again.
 * @throws {ProblemError} `node-unknown`, `node-stopped`
 */
export function crashNode(
  store: Store,
  id: number,
  settings: { readonly jobDriver: JobDriver; readonly now: Date },
): Promise<boolean> {
  return store.write(async (db) => {
    const node = await requireNodeOf(db, id);
    if (node.status !== "running") {
      const fix = advise`Run ${{ run: "server operator node list" }} to see which nodes run.`;
      throw problemError("node-stopped", `node ${id} is ${node.status}`, { fix });
    }
    return crash(db, node, settings);
  });
}

/** Records measured means of five minutes of a node, and mails its alerts. @throws {ProblemError} `node-unknown` */
export function recordSamples(store: Store, id: number, samples: readonly Sample[], now: Date): Promise<void> {
  return store.write(async (db) => {
    const node = await requireNodeOf(db, id);
    const before = await readUsedQuota(db, node, now);
    await storeSamples(db, id, samples);
    await mailMeans(db, node, samples, now);
    await mailQuota(db, node, before, now);
  });
}

/**
 * The node of this id, its account locked as in requests. If it moves to another account meanwhile, that one is locked.
 * @throws {ProblemError} `node-unknown`
 */
export async function requireNodeOf(db: Database, id: number): Promise<NodeRow> {
  for (;;) {
    const owner = await findNodeOwner(db, id);
    if (owner === undefined) break;
    await accountOf(db, owner);
    const node = await findNodeRow(db, owner, id);
    if (node) return node;
  }
  const fix = advise`Run ${{ run: "server operator node list" }} to list the nodes.`;
  throw problemError("node-unknown", `node ${id} does not exist`, { fix });
}
