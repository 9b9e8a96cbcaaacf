import { noon, refused } from "../start.ts";
import { by, nodeWith, notFound, ok, type Sections, type Sentence, unauthorized, wrongLength } from "./kit.ts";

type Request = Sentence[1][number];

const empty = { region: "us-east", type: "g6-nanode-1" };
const image = { image: "node/debian12", root_pass: "correct Horse 7", booted: false };
const backups = "/node/instances/1/backups";
const create = (fields: object = {}): Request => ["POST", "/node/instances", { ...empty, ...fields }];
const enable: Request = ["POST", `${backups}/enable`];
const cancel: Request = ["POST", `${backups}/cancel`];
const snapshot = (label = "first"): Request => ["POST", backups, { label }];
const list: Request = ["GET", backups];
const view = (id = 1): Request => ["GET", `${backups}/${id}`];
const restore = (fields: object = {}): Request => ["POST", `${backups}/1/restore`, { node_id: 1, ...fields }];
const wait = (seconds: number) => ({ seconds });

/** A node with the service, and one that has a successful snapshot. */
const on = [create({ backups_enabled: true })];
const made = [...on, snapshot(), wait(260)];
/** A node with the disks of an image, and one that has a snapshot with them. */
const deployed = [create({ ...image, backups_enabled: true }), wait(50)];
const kept = [...deployed, snapshot(), wait(260)];

/** The first backup as it is, but for these: a snapshot of an empty node that has just begun. */
const backupWith = (fields: object = {}) => ({
  id: 1,
  type: "snapshot",
  status: "pending",
  created: noon,
  updated: noon,
  finished: null,
  label: "first",
  configs: [],
  disks: [],
  ...fields,
});
const ended = "2026-03-04T12:04:20";
const successful = { status: "successful", updated: ended, finished: ended };
const backupList = (automatic: object[], current: object | null = null, in_progress: object | null = null) => ({
  automatic,
  snapshot: { current, in_progress },
});
const ofImage = backupWith({
  status: "successful",
  created: "2026-03-04T12:00:50",
  updated: "2026-03-04T12:05:10",
  finished: "2026-03-04T12:05:10",
  configs: ["My Debian 12 Disk Profile"],
  disks: [
    { label: "Debian 12 Disk", size: 25088, filesystem: "ext4" },
    { label: "512 MB Swap Image", size: 512, filesystem: "swap" },
  ],
});
const night = "2026-03-05T02:00:00";
const nightly = backupWith({
  type: "auto",
  status: "successful",
  label: null,
  created: night,
  updated: night,
  finished: night,
});

/** The rows of the table, Backup. */
const fields: Sentence[] = [
  ["configs, disks: labels, sizes and filesystems", [...kept, view()], ok(ofImage)],
  [
    "configs, disks: empty until it is successful",
    [...deployed, snapshot(), wait(259), view()],
    ok({
      ...ofImage,
      status: "needsPostProcessing",
      updated: "2026-03-04T12:00:50",
      finished: null,
      configs: [],
      disks: [],
    }),
  ],
  ["status: pending while its job is scheduled", [...on, snapshot()], ok(backupWith())],
  ["status: then running", [...on, snapshot(), wait(1), view()], ok(backupWith({ status: "running" }))],
  ["status: running until 90 %", [...on, snapshot(), wait(233), view()], ok(backupWith({ status: "running" }))],
  [
    "status: then needsPostProcessing",
    [...on, snapshot(), wait(234), view()],
    ok(backupWith({ status: "needsPostProcessing" })),
  ],
  ["status: then successful; finished is set", [...made, view()], ok(backupWith(successful))],
  ["type: auto; label: null", [...on, wait(14 * 3600), view()], ok(nightly)],
  [
    "list: automatic, and a snapshot with current and in_progress",
    [...made, snapshot("second"), list],
    ok(backupList([], backupWith(successful), backupWith({ id: 2, label: "second", created: ended, updated: ended }))),
  ],
  ["list: the items of automatic are backups", [...on, wait(14 * 3600), list], ok(backupList([nightly]))],
];

/** The endpoints of backups. */
const endpoints: Sentence[] = [
  ["GET backups: null if there is none, also without the service", [create(), list], ok(backupList([]))],
  ["GET backups: of another account", [create(), by("stranger", ["GET", backups])], notFound],
  ["POST backups: label required", [...on, ["POST", backups, {}]], refused(["label is required", "label"])],
  ["POST backups: label at least 1", [...on, snapshot("")], wrongLength("1-255", "label")],
  ["POST backups: label at most 255", [...on, snapshot("a".repeat(256))], wrongLength("1-255", "label")],
  ["POST backups: label 255", [...on, snapshot("a".repeat(255))], ok(backupWith({ label: "a".repeat(255) }))],
  ["POST backups: backups are not enabled", [create(), snapshot()], refused(["Backups are not enabled"])],
  [
    "POST backups: a node with a job",
    [create({ ...image, backups_enabled: true }), snapshot()],
    refused(["Node busy."]),
  ],
  [
    "POST backups: the previous snapshot is kept at first",
    [...made, snapshot("second"), wait(259), view()],
    ok(backupWith(successful)),
  ],
  ["POST backups: deletes the node's previous snapshot", [...made, snapshot("second"), wait(260), view()], notFound],
  [
    "POST backups: the node shows the last success",
    [...made, ["GET", "/node/instances/1"]],
    ok(
      nodeWith({
        backups: { enabled: true, schedule: { day: "Scheduling", window: "Scheduling" }, last_successful: ended },
      }),
    ),
  ],
  ["POST backups/cancel: {}", [...on, cancel], ok({})],
  ["POST backups/cancel: deletes all existing backups", [...made, cancel, view()], notFound],
  ["POST backups/cancel: cancels the service", [...on, cancel, snapshot()], refused(["Backups are not enabled"])],
  ["POST backups/cancel: without the service", [create(), cancel], refused(["Backups are not enabled"])],
  ["POST backups/cancel: also while the node is restored", [...made, restore({ overwrite: true }), cancel], ok({})],
  ["POST backups/enable: {}", [create(), enable], ok({})],
  ["POST backups/enable: again", [create(), enable, enable], ok({})],
  ["POST backups/enable: while the node has a job", [create(image), enable], ok({})],
  [
    "POST backups/enable: not while it is deleted",
    [create(), ["DELETE", "/node/instances/1"], enable],
    refused(["Node busy."]),
  ],
  ["POST backups/enable: needs read_write", [create(), by("restricted", ["POST", `${backups}/enable`])], unauthorized],
  ["GET backups/{backupId}", [...made, view()], ok(backupWith(successful))],
  ["GET backups/{backupId}: of another node", [...made, create(), ["GET", "/node/instances/2/backups/1"]], notFound],
  ["GET backups/{backupId}: unknown", [...on, view()], notFound],
  ["restore: {}", [...made, restore()], ok({})],
  [
    "restore: node_id required",
    [...made, ["POST", `${backups}/1/restore`, {}]],
    refused(["node_id is required", "node_id"]),
  ],
  ["restore: an unknown node", [...made, restore({ node_id: 9 })], refused(["node_id is not valid", "node_id"])],
  [
    "restore: a node of another region",
    [...made, create({ region: "us-west" }), restore({ node_id: 2 })],
    refused(["The node must be in the region of the backup", "node_id"]),
  ],
  ["restore: an unknown backup", [...on, restore()], notFound],
  ["restore: only a successful backup; nothing queues", [...on, snapshot(), restore()], refused(["Node busy."])],
  [
    "restore: overwrite false with insufficient space",
    [...kept, restore({ overwrite: false })],
    refused(["Insufficient space"]),
  ],
  ["restore: overwrite is false by default", [...kept, restore()], refused(["Insufficient space"])],
  [
    "restore: overwrite true deletes all disks and configs on the target first",
    [...kept, restore({ overwrite: true }), wait(19), snapshot(), wait(260), view(2)],
    ok({
      ...ofImage,
      id: 2,
      created: "2026-03-04T12:05:29",
      updated: "2026-03-04T12:09:49",
      finished: "2026-03-04T12:09:49",
    }),
  ],
  ["restore: to another node that has room", [...kept, create(), restore({ node_id: 2 })], ok({})],
  ["restore: a target with a job", [...made, create(image), restore({ node_id: 2 })], refused(["Node busy."])],
  [
    "live: node_id is linode_id, and a backup has a region",
    [
      ["POST", "/linode/instances", { ...empty, backups_enabled: true }],
      wait(8),
      ["POST", "/linode/instances/1/backups", { label: "first" }],
    ],
    ok({
      ...backupWith({ created: "2026-03-04T12:00:08", updated: "2026-03-04T12:00:08" }),
      region: "us-east",
      available: true,
    }),
    "live",
  ],
];

/** Creation mode 3. */
const creation: Sentence[] = [
  [
    "POST /node/instances: backup_id: unknown",
    [create({ backup_id: 1 })],
    refused(["backup_id is not valid", "backup_id"]),
  ],
  [
    "POST /node/instances: backup_id: of a node of another account",
    [...made, by("stranger", ["POST", "/node/instances", { ...empty, backup_id: 1 }])],
    refused(["backup_id is not valid", "backup_id"]),
  ],
  [
    "POST /node/instances: backup_id: not yet successful",
    [...on, snapshot(), create({ backup_id: 1 })],
    refused(["Only a successful backup can be restored", "backup_id"]),
  ],
  [
    "POST /node/instances: backup_id: in another region",
    [...made, create({ backup_id: 1, region: "us-west" })],
    refused(["The region must be that of the backup", "region"]),
  ],
  [
    "POST /node/instances: backup_id: needs a node large enough",
    [
      create({ ...image, type: "g6-standard-1", backups_enabled: true }),
      wait(50),
      snapshot(),
      wait(260),
      create({ backup_id: 1 }),
    ],
    refused(["The disks need 51200 MB, and the type has 25600 MB", "type"]),
  ],
  [
    "POST /node/instances: from a backup: disks and config match the backed-up node",
    [
      ...kept,
      create({ backup_id: 1, booted: false, backups_enabled: true }),
      wait(50),
      ["POST", "/node/instances/2/backups", { label: "first" }],
      wait(260),
      ["GET", "/node/instances/2/backups/2"],
    ],
    ok({
      ...ofImage,
      id: 2,
      created: "2026-03-04T12:06:00",
      updated: "2026-03-04T12:10:20",
      finished: "2026-03-04T12:10:20",
    }),
  ],
];

export const backupSections: Sections = {
  "decisions/documents#backups: fields": fields,
  "decisions/documents#backups: endpoints": endpoints,
  "decisions/nodes#creation: from a backup": creation,
};
