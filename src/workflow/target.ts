/** The target of projects; another folder of `targets` is chosen here. */
export { type OtherDomain, parseSnapshot, type Snapshot, snapshotSchema } from "../targets/api/snapshot.ts";
export {
  type ApiReadingTarget,
  type ApiTarget,
  apiKind as targetKind,
  apiReadingTarget,
  apiTarget,
  snapshotTarget,
} from "../targets/api/target.ts";
