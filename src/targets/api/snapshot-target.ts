import { advise } from "../../diagnostics/advice.ts";
import { type ProblemError, problemError } from "../../diagnostics/problem.ts";
import type { PlanningReads, PlanningTarget } from "../target.ts";
import { apiKindWith } from "./kind.ts";
import { recordsOf, zoneHead } from "./live.ts";
import { findNodes } from "./nodes.ts";
import { type ApiSnapshot, findFreedInSnapshot, listNodesOf } from "./snapshot.ts";

/** The API at the time of a snapshot. */
export function apiSnapshotTarget(snapshot: ApiSnapshot): PlanningTarget {
  return { ...apiKindWith(snapshot.target.records), read: readsOf(snapshot) };
}

/** Reads without the pages of a service, whose checks cost more than small zones. */
function readsOf(snapshot: ApiSnapshot): PlanningReads {
  const { domains, target } = snapshot;
  const { records: setting = "documented" } = target;
  const byId = new Map<unknown, ApiSnapshot["domains"][number]>(domains.map((domain) => [domain.id, domain]));
  return {
    listZones: async () => {
      if (byId.size < domains.length) throw repeatedProblem("a domain");
      return domains.map(zoneHead);
    },
    readRecords: async ({ id, name }, options) => {
      const records = recordsOf(byId.get(id)?.records ?? [], { zone: name, records: setting }, options?.onUnknown);
      for (const [index, record] of records.entries())
        if (record.id === records[index - 1]?.id)
          throw repeatedProblem(`the record ${record.id} of ${name.slice(0, -1)}`);
      return records;
    },
    findNodes: (labels, options) => findNodes(listNodesOf(snapshot), labels, options),
    readFreedAddresses: (addresses) => findFreedInSnapshot(snapshot, addresses),
    countRequests: () => 0,
    announcedLimit: () => undefined,
  };
}

function repeatedProblem(what: string): ProblemError {
  const fix = advise`Create a new one with ${{ run: "snapshot" }}.`;
  return problemError("snapshot-read", `the snapshot contains ${what} twice`, { fix });
}
