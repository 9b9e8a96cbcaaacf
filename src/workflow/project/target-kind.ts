/** The kind of target of projects, apart from `target.ts`: a command that does not call the target loads no client. */
export { apiKind as targetKind } from "../../targets/api/kind.ts";
