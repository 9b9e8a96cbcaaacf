export type { Send } from "../client/send.ts";
export type { Config } from "../config/config.ts";
export type { OpenWord } from "../contract/meta.ts";
export type { ProblemKind, Severity } from "../diagnostics/ids/entry.ts";
export { type Place, type Problem, ProblemError } from "../diagnostics/problem.ts";
export type { ProblemId, RuleId } from "../diagnostics/registry.ts";
export type { DesiredRecord, DesiredZone, Id, LiveRecord, LiveZone, UnknownRecord } from "../dns/desired-live.ts";
export type { Setting, StoredSettings, ZoneTimes } from "../dns/zone-settings.ts";
export type { ApplyEvent } from "../executor/event.ts";
export type { About } from "../executor/runs.ts";
export type { Check, Verification, VerifyDepth } from "../executor/verify.ts";
export type { Verdict } from "../executor/verify-servers.ts";
export type { Question } from "../executor/verify-sets.ts";
export type { FromTemplates, ZoneFileRef } from "../formats/files.ts";
export type { Folder } from "../formats/include.ts";
export type { IncludedFile } from "../formats/kit/source.ts";
export type { FolderFormat, FormatName } from "../formats/readers.ts";
export type { ExpandedZone, TemplateFolder } from "../formats/templates.ts";
export type { JudgedBlock } from "../planner/acks.ts";
export type { ApprovedPlan } from "../planner/approved-effects.ts";
export type {
  Deletion,
  Gap,
  Plan,
  RecordChange,
  SettingChange,
  Step,
  ZoneOverLimit,
  ZonePlan,
} from "../planner/change.ts";
export type { Effect } from "../planner/effects.ts";
export type { Finding, GuardId } from "../planner/guard.ts";
export type { GuardBlock } from "../planner/guards.ts";
export type { ReadPlan } from "../planner/plan-file.ts";
export type { PlanFile } from "../planner/plan-schema.ts";
export type { SignatureRules } from "../planner/plan-signature.ts";
export type { WorkProgress } from "../planner/work.ts";
export type { Snapshot } from "../targets/api/snapshot.ts";
export type { ApiReadingTarget, ApiTarget } from "../targets/api/target.ts";
export type { PlanningTarget, ReadingTarget, ReadOptions, Target, TargetKind } from "../targets/target.ts";
export { type ApplyHooks, type ApplyReport, type ApplyRequest, apply } from "../workflow/apply.ts";
export { type FindPlans, type FoundPlans, readApprovedPlan, readApprovedPlans } from "../workflow/approved-plans.ts";
export {
  type ApiConnection,
  type ApiOptions,
  type ApiReadingConnection,
  type Connection,
  connect,
  connectToRead,
  type ReadingConnection,
} from "../workflow/connect.ts";
export type { ZoneFinding } from "../workflow/drift-finding.ts";
export {
  type Exported,
  type ExportedZone,
  type ExportForm,
  type ExportOptions,
  exportFiles,
  exportLive,
} from "../workflow/export.ts";
export {
  type FormatOptions,
  type FormatReport,
  type FormattedFile,
  formatZones,
  writeFormatted,
} from "../workflow/fmt.ts";
export { type ImportedZone, importZones, writeImported } from "../workflow/import.ts";
export type { LoadPlanOptions } from "../workflow/load-plan.ts";
export { type PlanRequest, type PlanResult, planZones } from "../workflow/plan.ts";
export { readSignatureRules, readSigningKey } from "../workflow/plan-keys.ts";
export type { PlanningOptions, PlanReport } from "../workflow/plan-report.ts";
export type { OnProgress, ProgressEvent } from "../workflow/progress.ts";
export { openProject, type Project, type ProjectOptions } from "../workflow/project.ts";
export { createRunContext, type RunContext } from "../workflow/run-context.ts";
export type { OnUnanswered, RunResult } from "../workflow/run-plan.ts";
export type { Switches } from "../workflow/severities.ts";
export type { ReadSince } from "../workflow/since.ts";
export type { SkippedZone } from "../workflow/skip-invalid.ts";
export { readSnapshot, type SnapshotToPlan, takeSnapshot } from "../workflow/snapshot.ts";
export { type UndoReport, type UndoRequest, undo } from "../workflow/undo.ts";
export { type ValidatingOptions, type Validation, validateZones } from "../workflow/validate.ts";
export { setsOfPlan, type Verified, type VerifyingOptions, verifyZones, zonesToVerify } from "../workflow/verify.ts";
