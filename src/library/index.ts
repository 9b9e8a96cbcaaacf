export type { Send } from "../client/send.ts";
export type { Config } from "../config/config.ts";
export type { TargetKindName, TargetSettings } from "../config/target-kinds.ts";
export type { OpenWord } from "../contract/meta.ts";
export type { Advice, Fix } from "../diagnostics/advice.ts";
export type { ProblemKind, Severity } from "../diagnostics/ids/entry.ts";
export { type Place, type Problem, ProblemError } from "../diagnostics/problem.ts";
export type { ProblemId, RuleId } from "../diagnostics/registry.ts";
export type { DesiredRecord, DesiredZone, Id, LiveRecord, LiveZone, UnknownRecord } from "../dns/zone/desired-live.ts";
export type { Setting, ZoneTimes } from "../dns/zone/zone-settings.ts";
export type { ApplyEvent } from "../executor/journal/event.ts";
export type { About } from "../executor/journal/runs.ts";
export type { Check, Verification, VerifyDepth } from "../executor/verify/verify.ts";
export type { Verdict } from "../executor/verify/verify-servers.ts";
export type { Question } from "../executor/verify/verify-sets.ts";
export type { FromTemplates, ZoneFileRef } from "../formats/files.ts";
export type { Folder } from "../formats/include.ts";
export type { IncludedFile } from "../formats/kit/source.ts";
export type { FolderFormat, FormatName } from "../formats/readers.ts";
export type { ExpandedZone, TemplateFolder } from "../formats/templates.ts";
export type { ApprovedPlan } from "../planner/approval/approved-effects.ts";
export type { JudgedBlock } from "../planner/blocks/acks.ts";
export type { GuardBlock } from "../planner/blocks/find-blocks.ts";
export type {
  Deletion,
  Gap,
  Plan,
  RecordChange,
  SettingChange,
  Step,
  TooLargeChange,
  ZoneOverLimit,
  ZonePlan,
} from "../planner/changes/change.ts";
export type { Effect } from "../planner/changes/effects.ts";
export type { WorkProgress } from "../planner/order/work.ts";
export type { ReadPlan } from "../planner/plan-file/plan-file.ts";
export type { PlanFile } from "../planner/plan-file/plan-schema.ts";
export type { SignatureRules } from "../planner/plan-file/plan-signature.ts";
export type { Finding, GuardId } from "../planner/risk/guard.ts";
export type { ContentSnapshot } from "../targets/content-snapshot.ts";
export type { PlanningTarget, ReadingTarget, ReadOptions, Target, TargetKind } from "../targets/target.ts";
export { type ApplyHooks, type ApplyReport, type ApplyRequest, apply } from "../workflow/apply/apply.ts";
export type { OnUnanswered, RunResult, UnansweredWrite } from "../workflow/apply/run-plan.ts";
export { type UndoReport, type UndoRequest, undo } from "../workflow/apply/undo.ts";
export {
  setsOfPlan,
  type Verified,
  type VerifyingOptions,
  verifyZones,
  zonesToVerify,
} from "../workflow/apply/verify.ts";
export { connect, connectToRead } from "../workflow/connect/connect.ts";
export type { ApiOptions, Connection, ReadingConnection } from "../workflow/connect/connection.ts";
export type { ZoneFinding } from "../workflow/drift/finding.ts";
export {
  type EditedFile,
  type RecordWords,
  setRecords,
  unsetRecords,
  writeEdited,
} from "../workflow/edit/edit-records.ts";
export {
  type Exported,
  type ExportedZone,
  type ExportForm,
  type ExportOptions,
  exportFiles,
  exportLive,
} from "../workflow/export/export.ts";
export {
  type FormatOptions,
  type FormatReport,
  type FormattedFile,
  formatZones,
  writeFormatted,
} from "../workflow/export/fmt.ts";
export { type ImportedZone, importZones, writeImported } from "../workflow/import/import.ts";
export type { SilentServer } from "../workflow/name-servers/entering.ts";
export {
  type FindPlans,
  type FoundPlans,
  readApprovedPlan,
  readApprovedPlans,
} from "../workflow/plan/approved-plans.ts";
export type { LoadPlanOptions } from "../workflow/plan/load-plan.ts";
export type { PlanningOptions } from "../workflow/plan/observe.ts";
export { type PlanRequest, type PlanResult, planZones } from "../workflow/plan/plan.ts";
export type { PlanReport } from "../workflow/plan/plan-report.ts";
export { readSignatureRules, readSigningKey } from "../workflow/project/plan-keys.ts";
export type { OnProgress, ProgressEvent } from "../workflow/project/progress.ts";
export { openProject, type Project, type ProjectOptions } from "../workflow/project/project.ts";
export { createRunContext, type RunContext } from "../workflow/project/run-context.ts";
export type { Switches } from "../workflow/project/severities.ts";
export type { ApiSnapshot, Snapshot } from "../workflow/project/snapshot-target.ts";
export {
  type ConfiguredTarget,
  type ProjectFolder,
  type TargetsOfProject,
  targetViews,
} from "../workflow/project/targets.ts";
export { readSnapshot, type SnapshotToPlan, takeSnapshot } from "../workflow/snapshot/snapshot.ts";
export {
  type FindSnapshot,
  type ValidatingOptions,
  type Validation,
  validateZones,
} from "../workflow/snapshot/validate.ts";
export type { ReadSince } from "../workflow/zones/since.ts";
export type { SkippedZone } from "../workflow/zones/skip-invalid.ts";
