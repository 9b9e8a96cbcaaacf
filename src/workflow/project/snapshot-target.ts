/** Snapshots of the target of projects, apart from `target.ts`: a plan against one loads no client. */
export {
  freedToSave,
  type OtherDomain,
  parseSnapshot,
  type Snapshot,
  snapshotSchema,
} from "../../targets/api/snapshot.ts";
export { snapshotTarget } from "../../targets/api/snapshot-target.ts";
