/** The target of projects; another folder of `targets` is chosen here and in `target-kind.ts`. */
export {
  freedToSave,
  type OtherDomain,
  parseSnapshot,
  type Snapshot,
  snapshotSchema,
} from "../targets/api/snapshot.ts";

export {
  type ApiReadingTarget,
  type ApiTarget,
  apiReadingTarget,
  apiTarget,
  snapshotTarget,
} from "../targets/api/target.ts";
