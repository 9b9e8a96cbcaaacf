// @suite long

import { sql } from "kysely";
import { expect, test } from "vitest";
import type { ApiEvent } from "../../src/contract/resources/event.ts";
import { addMaintenance, beginMaintenance } from "../../src/server/areas/nodes/operator/maintenance.ts";
import { embeddedCatalog } from "../../src/server/catalog/embedded.ts";
import type { Profile } from "../../src/server/entities/context.ts";
import { simulatedDriver } from "../../src/server/kit/job-driver.ts";
import type { Store } from "../../src/server/store/store.ts";
import type { Database } from "../../src/server/store/tables.ts";
import { type Answer, start } from "./start.ts";
import { emptyStore } from "./stores.ts";

type Request = [method: string, path: string, body?: object];

/** A request that is granted, with the seconds that pass after it. */
type Step = [...(Required<Request> | [method: string, path: string, body: undefined]), seconds: number];

const debian = { image: "node/debian12", root_pass: "correct Horse 7" };
const ofType = { region: "us-east", type: "g6-nanode-1" };
const [other, node] = ["/node/instances/1", "/node/instances/2"];

/**
 * Beside the node, whose id is 2: node 1 with a backup, volumes 1 and 2, firewalls 1 and 2. The node then gets volume
 * 1, firewall 1 and a second public address.
 */
const surroundings: Step[] = [
  ["POST", "/node/instances", { ...ofType, label: "other", backups_enabled: true }, 0],
  ["POST", `${other}/backups`, { label: "kept" }, 260],
  ["POST", "/volumes", { label: "one", region: "us-east" }, 0],
  ["POST", "/volumes", { label: "two", region: "us-east" }, 0],
  ...["one", "two"].map(
    (label): Step => [
      "POST",
      "/networking/firewalls",
      { label, rules: { inbound_policy: "ACCEPT", outbound_policy: "ACCEPT" } },
      0,
    ],
  ),
];
const belongings: Step[] = [
  ["PUT", `${node}/configs/1`, { devices: { sda: { disk_id: 1 }, sdb: { volume_id: 1 } } }, 0],
  ["POST", `${node}/ips`, { type: "ipv4", public: true }, 0],
  ["POST", "/networking/firewalls/1/devices", { type: "node", id: 2 }, 0],
];
/** An offline node with disk 1, `root`, in its only configuration profile, and disk 2 in none. */
const offline: Step[] = [
  ["POST", "/node/instances", { ...ofType, label: "web", backups_enabled: true }, 0],
  ["POST", `${node}/disks`, { ...debian, label: "root", size: 2000 }, 17],
  ["POST", `${node}/disks`, { label: "data", size: 500 }, 17],
  ["POST", `${node}/configs`, { label: "boot", devices: { sda: { disk_id: 1 } } }, 0],
  ...belongings,
];
const running: Step[] = [...offline, ["POST", `${node}/boot`, {}, 24]];
const diskJob: Step = ["POST", `${node}/disks/2/resize`, { size: 600 }, 1];
const snapshot: Step = ["POST", `${node}/backups`, { label: "new" }, 1];
/** No request stops a node: maintenance of its host does. */
const maintenance = "maintenance";

/** How the node comes into each state. */
const states: Readonly<Record<string, (Step | typeof maintenance)[]>> = {
  offline,
  stopped: [...running, maintenance],
  running,
  rescue: [...offline, ["POST", `${node}/rescue`, {}, 52]],
  "offline, disk job": [...offline, diskJob],
  "running, disk job": [...running, diskJob],
  "offline, snapshot": [...offline, snapshot],
  "running, snapshot": [...running, snapshot],
  provisioning: [
    ["POST", "/node/instances", { ...ofType, ...debian, label: "web", backups_enabled: true }, 1],
    ...belongings,
  ],
  booting: [...offline, ["POST", `${node}/boot`, {}, 1]],
  rebooting: [...running, ["POST", `${node}/reboot`, {}, 1]],
  "shutting down": [...running, ["POST", `${node}/shutdown`, undefined, 1]],
  rebuilding: [...running, ["POST", `${node}/rebuild`, { ...debian, booted: false }, 1]],
  resizing: [...running, ["POST", `${node}/resize`, { type: "g6-standard-1" }, 1]],
  migrating: [...running, maintenance, ["POST", `${node}/migrate`, {}, 1]],
  cloning: [...running, ["POST", `${other}/clone`, { node_id: 2 }, 1]],
  restoring: [...offline, ["POST", `${other}/backups/1/restore`, { node_id: 2, overwrite: true }, 1]],
  deleting: [...running, ["DELETE", node, undefined, 1]],
};

/** The node has the addresses 198.18.0.3 and 198.18.0.4. */
const actions: Readonly<Record<string, Request>> = {
  view: ["GET", node],
  label: ["PUT", node, { label: "new" }],
  tags: ["PUT", node, { tags: ["team"] }],
  tag: ["POST", "/tags", { label: "team", nodes: [2] }],
  boot: ["POST", `${node}/boot`, {}],
  "boot config": ["POST", `${node}/boot`, { config_id: 1 }],
  reboot: ["POST", `${node}/reboot`, {}],
  "shut down": ["POST", `${node}/shutdown`],
  rescue: ["POST", `${node}/rescue`, { devices: { sda: { disk_id: 2 } } }],
  rebuild: ["POST", `${node}/rebuild`, debian],
  resize: ["POST", `${node}/resize`, { type: "g6-standard-2" }],
  clone: ["POST", `${node}/clone`, {}],
  "clone to other": ["POST", `${node}/clone`, { node_id: 1 }],
  "clone onto": ["POST", `${other}/clone`, { node_id: 2 }],
  migrate: ["POST", `${node}/migrate`, {}],
  "migrate region": ["POST", `${node}/migrate`, { region: "us-west" }],
  password: ["POST", `${node}/password`, { root_pass: "correct Horse 8" }],
  "add address": ["POST", `${node}/ips`, { type: "ipv4", public: false }],
  "add public": ["POST", `${node}/ips`, { type: "ipv4", public: true }],
  "remove address": ["DELETE", `${node}/ips/198.18.0.4`],
  "name address": ["PUT", `${node}/ips/198.18.0.3`, { rdns: "web.example.net" }],
  "add disk": ["POST", `${node}/disks`, { label: "more", size: 300 }],
  "label disk": ["PUT", `${node}/disks/2`, { label: "new" }],
  "resize disk": ["POST", `${node}/disks/1/resize`, { size: 2200 }],
  "delete disk": ["DELETE", `${node}/disks/2`],
  "add config": ["POST", `${node}/configs`, { label: "second", devices: { sda: { disk_id: 2 } } }],
  "change config": ["PUT", `${node}/configs/1`, { label: "new" }],
  "delete config": ["DELETE", `${node}/configs/1`],
  "enable backups": ["POST", `${node}/backups/enable`],
  "cancel backups": ["POST", `${node}/backups/cancel`],
  "schedule backups": ["PUT", node, { backups: { schedule: { day: "Sunday", window: "W2" } } }],
  snapshot: ["POST", `${node}/backups`, { label: "newer" }],
  restore: ["POST", `${other}/backups/1/restore`, { node_id: 2, overwrite: true }],
  "attach volume": ["POST", "/volumes/2/attach", { node_id: 2 }],
  "create volume": ["POST", "/volumes", { label: "three", node_id: 2 }],
  "detach volume": ["POST", "/volumes/1/detach"],
  "add firewall": ["POST", "/networking/firewalls/2/devices", { type: "node", id: 2 }],
  "remove firewall": ["DELETE", "/networking/firewalls/1/devices/1"],
  delete: ["DELETE", node],
};

/** A request before an action that would be refused otherwise, and whose own answer does not matter. */
const before: Readonly<Record<string, Request>> = { "migrate region": ["POST", "/volumes/1/detach"] };

/**
 * Every action in every state: the reply; the status of the node right after it; once all jobs have ended, the events
 * that the action wrote or made fail, with the seconds of their jobs, and the status of the node.
 */
const table = `
offline
  view              200 node                                  offline        -                                                                                    offline
  label             200 node                                  offline        node_update                                                                          offline
  tags              200 node                                  offline        node_update, tag_create                                                              offline
  tag               200 tag                                   offline        tag_create                                                                           offline
  boot              200 {}                                    booting        node_boot finished 24                                                                running
  boot config       200 {}                                    booting        node_boot finished 24                                                                running
  reboot            200 {}                                    rebooting      node_reboot finished 52                                                              running
  shut down         200 {}                                    offline        -                                                                                    offline
  rescue            200 {}                                    rebooting      node_reboot finished 52                                                              running
  rebuild           200 node                                  rebuilding     node_rebuild finished 60, node_boot finished 24                                      running
  resize            200 {}                                    migrating      node_resize_create, node_resize finished 120                                         offline
  clone             200 node                                  offline        node_clone finished 110                                                              offline
  clone to other    200 node                                  offline        node_clone finished 110                                                              offline
  clone onto        200 node                                  cloning        node_clone finished 110                                                              offline
  migrate           200 {}                                    migrating      node_migrate finished 120                                                            offline
  migrate region    200 {}                                    migrating      volume_detach, node_migrate_datacenter_create, node_migrate_datacenter finished 120  offline
  password          200 {}                                    offline        password_reset finished 5                                                            offline
  add address       200 address                               offline        node_addip                                                                           offline
  add public        200 address                               offline        node_addip                                                                           offline
  remove address    200 {}                                    offline        node_deleteip                                                                        offline
  name address      200 address                               offline        ipaddress_update                                                                     offline
  add disk          200 disk                                  offline        disk_create finished 17                                                              offline
  label disk        200 disk                                  offline        disk_update                                                                          offline
  resize disk       200 {}                                    offline        disk_resize finished 17                                                              offline
  delete disk       200 {}                                    offline        disk_delete finished 17                                                              offline
  add config        200 config                                offline        node_config_create                                                                   offline
  change config     200 config                                offline        node_config_update                                                                   offline
  delete config     200 {}                                    offline        node_config_delete                                                                   offline
  enable backups    200 {}                                    offline        -                                                                                    offline
  cancel backups    200 {}                                    offline        backups_cancel                                                                       offline
  schedule backups  200 node                                  offline        node_update                                                                          offline
  snapshot          200 backup                                offline        node_snapshot finished 260                                                           offline
  restore           200 {}                                    restoring      backups_restore finished 19                                                          offline
  attach volume     200 volume                                offline        volume_attach                                                                        offline
  create volume     200 volume                                offline        volume_create, volume_attach                                                         offline
  detach volume     200 {}                                    offline        volume_detach                                                                        offline
  add firewall      200 device                                offline        firewall_device_add                                                                  offline
  remove firewall   200 {}                                    offline        firewall_device_remove                                                               offline
  delete            200 {}                                    deleting       volume_detach, node_delete finished 10                                               gone

stopped
  view              200 node                                  stopped        -                                                                                    stopped
  label             200 node                                  stopped        node_update                                                                          stopped
  tags              200 node                                  stopped        node_update, tag_create                                                              stopped
  tag               200 tag                                   stopped        tag_create                                                                           stopped
  boot              200 {}                                    booting        node_boot finished 24                                                                running
  boot config       200 {}                                    booting        node_boot finished 24                                                                running
  reboot            200 {}                                    rebooting      node_reboot finished 52                                                              running
  shut down         200 {}                                    stopped        -                                                                                    stopped
  rescue            200 {}                                    rebooting      node_reboot finished 52                                                              running
  rebuild           200 node                                  rebuilding     node_rebuild finished 60, node_boot finished 24                                      running
  resize            200 {}                                    migrating      node_resize_create, node_resize finished 120                                         stopped
  clone             200 node                                  stopped        node_clone finished 110                                                              stopped
  clone to other    200 node                                  stopped        node_clone finished 110                                                              stopped
  clone onto        200 node                                  cloning        node_clone finished 110                                                              stopped
  migrate           200 {}                                    migrating      node_migrate finished 120                                                            stopped
  migrate region    200 {}                                    migrating      volume_detach, node_migrate_datacenter_create, node_migrate_datacenter finished 120  stopped
  password          200 {}                                    stopped        password_reset finished 5                                                            stopped
  add address       200 address                               stopped        node_addip                                                                           stopped
  add public        200 address                               stopped        node_addip                                                                           stopped
  remove address    200 {}                                    stopped        node_deleteip                                                                        stopped
  name address      200 address                               stopped        ipaddress_update                                                                     stopped
  add disk          200 disk                                  stopped        disk_create finished 17                                                              stopped
  label disk        200 disk                                  stopped        disk_update                                                                          stopped
  resize disk       200 {}                                    stopped        disk_resize finished 17                                                              stopped
  delete disk       200 {}                                    stopped        disk_delete finished 17                                                              stopped
  add config        200 config                                stopped        node_config_create                                                                   stopped
  change config     200 config                                stopped        node_config_update                                                                   stopped
  delete config     200 {}                                    stopped        node_config_delete                                                                   stopped
  enable backups    200 {}                                    stopped        -                                                                                    stopped
  cancel backups    200 {}                                    stopped        backups_cancel                                                                       stopped
  schedule backups  200 node                                  stopped        node_update                                                                          stopped
  snapshot          200 backup                                stopped        node_snapshot finished 260                                                           stopped
  restore           200 {}                                    restoring      backups_restore finished 19                                                          stopped
  attach volume     200 volume                                stopped        volume_attach                                                                        stopped
  create volume     200 volume                                stopped        volume_create, volume_attach                                                         stopped
  detach volume     200 {}                                    stopped        volume_detach                                                                        stopped
  add firewall      200 device                                stopped        firewall_device_add                                                                  stopped
  remove firewall   200 {}                                    stopped        firewall_device_remove                                                               stopped
  delete            200 {}                                    deleting       volume_detach, node_delete finished 10                                               gone

running
  view              200 node                                  running        -                                                                                    running
  label             200 node                                  running        node_update                                                                          running
  tags              200 node                                  running        node_update, tag_create                                                              running
  tag               200 tag                                   running        tag_create                                                                           running
  boot              400 Node is already running               running        -                                                                                    running
  boot config       400 Node is already running               running        -                                                                                    running
  reboot            200 {}                                    rebooting      node_reboot finished 52                                                              running
  shut down         200 {}                                    shutting_down  node_shutdown finished 28                                                            offline
  rescue            200 {}                                    rebooting      node_reboot finished 52                                                              running
  rebuild           200 node                                  rebuilding     node_rebuild finished 60, node_boot finished 24                                      running
  resize            200 {}                                    migrating      node_resize_create, node_resize finished 120                                         running
  clone             200 node                                  running        node_clone finished 110                                                              running
  clone to other    200 node                                  running        node_clone finished 110                                                              running
  clone onto        200 node                                  cloning        node_clone finished 110                                                              running
  migrate           200 {}                                    migrating      node_migrate finished 120                                                            running
  migrate region    200 {}                                    migrating      volume_detach, node_migrate_datacenter_create, node_migrate_datacenter finished 120  running
  password          400 Node must be shut down                running        -                                                                                    running
  add address       200 address                               running        node_addip                                                                           running
  add public        200 address                               running        node_addip                                                                           running
  remove address    200 {}                                    running        node_deleteip                                                                        running
  name address      200 address                               running        ipaddress_update                                                                     running
  add disk          200 disk                                  running        disk_create finished 17                                                              running
  label disk        200 disk                                  running        disk_update                                                                          running
  resize disk       200 {}                                    running        disk_resize failed 17                                                                running
  delete disk       200 {}                                    running        disk_delete finished 17                                                              running
  add config        200 config                                running        node_config_create                                                                   running
  change config     200 config                                running        node_config_update                                                                   running
  delete config     200 {}                                    running        node_config_delete                                                                   running
  enable backups    200 {}                                    running        -                                                                                    running
  cancel backups    200 {}                                    running        backups_cancel                                                                       running
  schedule backups  200 node                                  running        node_update                                                                          running
  snapshot          200 backup                                running        node_snapshot finished 260                                                           running
  restore           200 {}                                    restoring      backups_restore finished 19                                                          running
  attach volume     200 volume                                running        volume_attach                                                                        running
  create volume     200 volume                                running        volume_create, volume_attach                                                         running
  detach volume     200 {}                                    running        volume_detach                                                                        running
  add firewall      200 device                                running        firewall_device_add                                                                  running
  remove firewall   200 {}                                    running        firewall_device_remove                                                               running
  delete            200 {}                                    deleting       volume_detach, node_delete finished 10                                               gone

rescue
  view              200 node                                  running        -                                                                                    running
  label             200 node                                  running        node_update                                                                          running
  tags              200 node                                  running        node_update, tag_create                                                              running
  tag               200 tag                                   running        tag_create                                                                           running
  boot              400 Node is already running               running        -                                                                                    running
  boot config       400 Node is already running               running        -                                                                                    running
  reboot            200 {}                                    rebooting      node_reboot finished 52                                                              running
  shut down         200 {}                                    shutting_down  node_shutdown finished 28                                                            offline
  rescue            200 {}                                    rebooting      node_reboot finished 52                                                              running
  rebuild           200 node                                  rebuilding     node_rebuild finished 60, node_boot finished 24                                      running
  resize            200 {}                                    migrating      node_resize_create, node_resize finished 120                                         running
  clone             200 node                                  running        node_clone finished 110                                                              running
  clone to other    200 node                                  running        node_clone finished 110                                                              running
  clone onto        200 node                                  cloning        node_clone finished 110                                                              running
  migrate           200 {}                                    migrating      node_migrate finished 120                                                            running
  migrate region    200 {}                                    migrating      volume_detach, node_migrate_datacenter_create, node_migrate_datacenter finished 120  running
  password          400 Node must be shut down                running        -                                                                                    running
  add address       200 address                               running        node_addip                                                                           running
  add public        200 address                               running        node_addip                                                                           running
  remove address    200 {}                                    running        node_deleteip                                                                        running
  name address      200 address                               running        ipaddress_update                                                                     running
  add disk          200 disk                                  running        disk_create finished 17                                                              running
  label disk        200 disk                                  running        disk_update                                                                          running
  resize disk       200 {}                                    running        disk_resize finished 17                                                              running
  delete disk       200 {}                                    running        disk_delete finished 17                                                              running
  add config        200 config                                running        node_config_create                                                                   running
  change config     200 config                                running        node_config_update                                                                   running
  delete config     200 {}                                    running        node_config_delete                                                                   running
  enable backups    200 {}                                    running        -                                                                                    running
  cancel backups    200 {}                                    running        backups_cancel                                                                       running
  schedule backups  200 node                                  running        node_update                                                                          running
  snapshot          200 backup                                running        node_snapshot finished 260                                                           running
  restore           200 {}                                    restoring      backups_restore finished 19                                                          running
  attach volume     200 volume                                running        volume_attach                                                                        running
  create volume     200 volume                                running        volume_create, volume_attach                                                         running
  detach volume     200 {}                                    running        volume_detach                                                                        running
  add firewall      200 device                                running        firewall_device_add                                                                  running
  remove firewall   200 {}                                    running        firewall_device_remove                                                               running
  delete            200 {}                                    deleting       volume_detach, node_delete finished 10                                               gone

offline, disk job
  view              200 node                                  offline        -                                                                                    offline
  label             200 node                                  offline        node_update                                                                          offline
  tags              200 node                                  offline        node_update, tag_create                                                              offline
  tag               200 tag                                   offline        tag_create                                                                           offline
  boot              400 Node busy.                            offline        -                                                                                    offline
  boot config       400 Node busy.                            offline        -                                                                                    offline
  reboot            400 Node busy.                            offline        -                                                                                    offline
  shut down         400 Node busy.                            offline        -                                                                                    offline
  rescue            400 Node busy.                            offline        -                                                                                    offline
  rebuild           400 Node busy.                            offline        -                                                                                    offline
  resize            400 Node busy.                            offline        -                                                                                    offline
  clone             400 Node busy.                            offline        -                                                                                    offline
  clone to other    400 Node busy.                            offline        -                                                                                    offline
  clone onto        400 Node busy.                            offline        -                                                                                    offline
  migrate           400 Node busy.                            offline        -                                                                                    offline
  migrate region    400 Node busy.                            offline        -                                                                                    offline
  password          400 Node busy.                            offline        -                                                                                    offline
  add address       200 address                               offline        node_addip                                                                           offline
  add public        200 address                               offline        node_addip                                                                           offline
  remove address    200 {}                                    offline        node_deleteip                                                                        offline
  name address      200 address                               offline        ipaddress_update                                                                     offline
  add disk          400 Node busy.                            offline        -                                                                                    offline
  label disk        200 disk                                  offline        disk_update                                                                          offline
  resize disk       400 Node busy.                            offline        -                                                                                    offline
  delete disk       400 Node busy.                            offline        -                                                                                    offline
  add config        200 config                                offline        node_config_create                                                                   offline
  change config     200 config                                offline        node_config_update                                                                   offline
  delete config     200 {}                                    offline        node_config_delete                                                                   offline
  enable backups    200 {}                                    offline        -                                                                                    offline
  cancel backups    200 {}                                    offline        backups_cancel                                                                       offline
  schedule backups  200 node                                  offline        node_update                                                                          offline
  snapshot          400 Node busy.                            offline        -                                                                                    offline
  restore           400 Node busy.                            offline        -                                                                                    offline
  attach volume     400 Node busy.                            offline        -                                                                                    offline
  create volume     400 Node busy.                            offline        -                                                                                    offline
  detach volume     400 Node busy.                            offline        -                                                                                    offline
  add firewall      200 device                                offline        firewall_device_add                                                                  offline
  remove firewall   200 {}                                    offline        firewall_device_remove                                                               offline
  delete            200 {}                                    deleting       disk_resize failed 1, volume_detach, node_delete finished 10                         gone

running, disk job
  view              200 node                                  running        -                                                                                    running
  label             200 node                                  running        node_update                                                                          running
  tags              200 node                                  running        node_update, tag_create                                                              running
  tag               200 tag                                   running        tag_create                                                                           running
  boot              400 Node busy.                            running        -                                                                                    running
  boot config       400 Node busy.                            running        -                                                                                    running
  reboot            400 Node busy.                            running        -                                                                                    running
  shut down         400 Node busy.                            running        -                                                                                    running
  rescue            400 Node busy.                            running        -                                                                                    running
  rebuild           400 Node busy.                            running        -                                                                                    running
  resize            400 Node busy.                            running        -                                                                                    running
  clone             400 Node busy.                            running        -                                                                                    running
  clone to other    400 Node busy.                            running        -                                                                                    running
  clone onto        400 Node busy.                            running        -                                                                                    running
  migrate           400 Node busy.                            running        -                                                                                    running
  migrate region    400 Node busy.                            running        -                                                                                    running
  password          400 Node busy.                            running        -                                                                                    running
  add address       200 address                               running        node_addip                                                                           running
  add public        200 address                               running        node_addip                                                                           running
  remove address    200 {}                                    running        node_deleteip                                                                        running
  name address      200 address                               running        ipaddress_update                                                                     running
  add disk          400 Node busy.                            running        -                                                                                    running
  label disk        200 disk                                  running        disk_update                                                                          running
  resize disk       400 Node busy.                            running        -                                                                                    running
  delete disk       400 Node busy.                            running        -                                                                                    running
  add config        200 config                                running        node_config_create                                                                   running
  change config     200 config                                running        node_config_update                                                                   running
  delete config     200 {}                                    running        node_config_delete                                                                   running
  enable backups    200 {}                                    running        -                                                                                    running
  cancel backups    200 {}                                    running        backups_cancel                                                                       running
  schedule backups  200 node                                  running        node_update                                                                          running
  snapshot          400 Node busy.                            running        -                                                                                    running
  restore           400 Node busy.                            running        -                                                                                    running
  attach volume     400 Node busy.                            running        -                                                                                    running
  create volume     400 Node busy.                            running        -                                                                                    running
  detach volume     400 Node busy.                            running        -                                                                                    running
  add firewall      200 device                                running        firewall_device_add                                                                  running
  remove firewall   200 {}                                    running        firewall_device_remove                                                               running
  delete            200 {}                                    deleting       disk_resize failed 1, volume_detach, node_delete finished 10                         gone

offline, snapshot
  view              200 node                                  offline        -                                                                                    offline
  label             200 node                                  offline        node_update                                                                          offline
  tags              200 node                                  offline        node_update, tag_create                                                              offline
  tag               200 tag                                   offline        tag_create                                                                           offline
  boot              400 Node busy.                            offline        -                                                                                    offline
  boot config       400 Node busy.                            offline        -                                                                                    offline
  reboot            400 Node busy.                            offline        -                                                                                    offline
  shut down         400 Node busy.                            offline        -                                                                                    offline
  rescue            400 Node busy.                            offline        -                                                                                    offline
  rebuild           400 Node busy.                            offline        -                                                                                    offline
  resize            400 Node busy.                            offline        -                                                                                    offline
  clone             400 Node busy.                            offline        -                                                                                    offline
  clone to other    400 Node busy.                            offline        -                                                                                    offline
  clone onto        400 Node busy.                            offline        -                                                                                    offline
  migrate           400 Node busy.                            offline        -                                                                                    offline
  migrate region    400 Node busy.                            offline        -                                                                                    offline
  password          400 Node busy.                            offline        -                                                                                    offline
  add address       200 address                               offline        node_addip                                                                           offline
  add public        200 address                               offline        node_addip                                                                           offline
  remove address    200 {}                                    offline        node_deleteip                                                                        offline
  name address      200 address                               offline        ipaddress_update                                                                     offline
  add disk          400 Node busy.                            offline        -                                                                                    offline
  label disk        200 disk                                  offline        disk_update                                                                          offline
  resize disk       400 Node busy.                            offline        -                                                                                    offline
  delete disk       400 Node busy.                            offline        -                                                                                    offline
  add config        200 config                                offline        node_config_create                                                                   offline
  change config     200 config                                offline        node_config_update                                                                   offline
  delete config     200 {}                                    offline        node_config_delete                                                                   offline
  enable backups    200 {}                                    offline        -                                                                                    offline
  cancel backups    200 {}                                    offline        node_snapshot failed 1, backups_cancel                                               offline
  schedule backups  200 node                                  offline        node_update                                                                          offline
  snapshot          400 Node busy.                            offline        -                                                                                    offline
  restore           400 Node busy.                            offline        -                                                                                    offline
  attach volume     400 Node busy.                            offline        -                                                                                    offline
  create volume     400 Node busy.                            offline        -                                                                                    offline
  detach volume     400 Node busy.                            offline        -                                                                                    offline
  add firewall      200 device                                offline        firewall_device_add                                                                  offline
  remove firewall   200 {}                                    offline        firewall_device_remove                                                               offline
  delete            200 {}                                    deleting       node_snapshot failed 1, volume_detach, node_delete finished 10                       gone

running, snapshot
  view              200 node                                  running        -                                                                                    running
  label             200 node                                  running        node_update                                                                          running
  tags              200 node                                  running        node_update, tag_create                                                              running
  tag               200 tag                                   running        tag_create                                                                           running
  boot              400 Node busy.                            running        -                                                                                    running
  boot config       400 Node busy.                            running        -                                                                                    running
  reboot            400 Node busy.                            running        -                                                                                    running
  shut down         400 Node busy.                            running        -                                                                                    running
  rescue            400 Node busy.                            running        -                                                                                    running
  rebuild           400 Node busy.                            running        -                                                                                    running
  resize            400 Node busy.                            running        -                                                                                    running
  clone             400 Node busy.                            running        -                                                                                    running
  clone to other    400 Node busy.                            running        -                                                                                    running
  clone onto        400 Node busy.                            running        -                                                                                    running
  migrate           400 Node busy.                            running        -                                                                                    running
  migrate region    400 Node busy.                            running        -                                                                                    running
  password          400 Node busy.                            running        -                                                                                    running
  add address       200 address                               running        node_addip                                                                           running
  add public        200 address                               running        node_addip                                                                           running
  remove address    200 {}                                    running        node_deleteip                                                                        running
  name address      200 address                               running        ipaddress_update                                                                     running
  add disk          400 Node busy.                            running        -                                                                                    running
  label disk        200 disk                                  running        disk_update                                                                          running
  resize disk       400 Node busy.                            running        -                                                                                    running
  delete disk       400 Node busy.                            running        -                                                                                    running
  add config        200 config                                running        node_config_create                                                                   running
  change config     200 config                                running        node_config_update                                                                   running
  delete config     200 {}                                    running        node_config_delete                                                                   running
  enable backups    200 {}                                    running        -                                                                                    running
  cancel backups    200 {}                                    running        node_snapshot failed 1, backups_cancel                                               running
  schedule backups  200 node                                  running        node_update                                                                          running
  snapshot          400 Node busy.                            running        -                                                                                    running
  restore           400 Node busy.                            running        -                                                                                    running
  attach volume     400 Node busy.                            running        -                                                                                    running
  create volume     400 Node busy.                            running        -                                                                                    running
  detach volume     400 Node busy.                            running        -                                                                                    running
  add firewall      200 device                                running        firewall_device_add                                                                  running
  remove firewall   200 {}                                    running        firewall_device_remove                                                               running
  delete            200 {}                                    deleting       node_snapshot failed 1, volume_detach, node_delete finished 10                       gone

provisioning
  view              200 node                                  provisioning   node_boot finished 24                                                                running
  label             200 node                                  provisioning   node_update, node_boot finished 24                                                   running
  tags              200 node                                  provisioning   node_update, tag_create, node_boot finished 24                                       running
  tag               200 tag                                   provisioning   tag_create, node_boot finished 24                                                    running
  boot              400 Node busy.                            provisioning   node_boot finished 24                                                                running
  boot config       400 Node busy.                            provisioning   node_boot finished 24                                                                running
  reboot            400 Node busy.                            provisioning   node_boot finished 24                                                                running
  shut down         400 Node busy.                            provisioning   node_boot finished 24                                                                running
  rescue            400 Node busy.                            provisioning   node_boot finished 24                                                                running
  rebuild           400 Node busy.                            provisioning   node_boot finished 24                                                                running
  resize            400 Node busy.                            provisioning   node_boot finished 24                                                                running
  clone             400 Node busy.                            provisioning   node_boot finished 24                                                                running
  clone to other    400 Node busy.                            provisioning   node_boot finished 24                                                                running
  clone onto        400 Node busy.                            provisioning   node_boot finished 24                                                                running
  migrate           400 Node busy.                            provisioning   node_boot finished 24                                                                running
  migrate region    400 Node busy.                            provisioning   node_boot finished 24                                                                running
  password          400 Node busy.                            provisioning   node_boot finished 24                                                                running
  add address       200 address                               provisioning   node_addip, node_boot finished 24                                                    running
  add public        200 address                               provisioning   node_addip, node_boot finished 24                                                    running
  remove address    200 {}                                    provisioning   node_deleteip, node_boot finished 24                                                 running
  name address      200 address                               provisioning   ipaddress_update, node_boot finished 24                                              running
  add disk          400 Node busy.                            provisioning   node_boot finished 24                                                                running
  label disk        200 disk                                  provisioning   disk_update, node_boot finished 24                                                   running
  resize disk       400 Node busy.                            provisioning   node_boot finished 24                                                                running
  delete disk       400 Node busy.                            provisioning   node_boot finished 24                                                                running
  add config        200 config                                provisioning   node_config_create, node_boot finished 24                                            running
  change config     200 config                                provisioning   node_config_update, node_boot finished 24                                            running
  delete config     200 {}                                    provisioning   node_config_delete                                                                   offline
  enable backups    200 {}                                    provisioning   node_boot finished 24                                                                running
  cancel backups    200 {}                                    provisioning   backups_cancel, node_boot finished 24                                                running
  schedule backups  200 node                                  provisioning   node_update, node_boot finished 24                                                   running
  snapshot          400 Node busy.                            provisioning   node_boot finished 24                                                                running
  restore           400 Node busy.                            provisioning   node_boot finished 24                                                                running
  attach volume     400 Node busy.                            provisioning   node_boot finished 24                                                                running
  create volume     400 Node busy.                            provisioning   node_boot finished 24                                                                running
  detach volume     400 Node busy.                            provisioning   node_boot finished 24                                                                running
  add firewall      200 device                                provisioning   firewall_device_add, node_boot finished 24                                           running
  remove firewall   200 {}                                    provisioning   firewall_device_remove, node_boot finished 24                                        running
  delete            200 {}                                    deleting       node_create failed 1, volume_detach, node_delete finished 10                         gone

booting
  view              200 node                                  booting        -                                                                                    running
  label             200 node                                  booting        node_update                                                                          running
  tags              200 node                                  booting        node_update, tag_create                                                              running
  tag               200 tag                                   booting        tag_create                                                                           running
  boot              400 Node busy.                            booting        -                                                                                    running
  boot config       400 Node busy.                            booting        -                                                                                    running
  reboot            400 Node busy.                            booting        -                                                                                    running
  shut down         400 Node busy.                            booting        -                                                                                    running
  rescue            400 Node busy.                            booting        -                                                                                    running
  rebuild           400 Node busy.                            booting        -                                                                                    running
  resize            400 Node busy.                            booting        -                                                                                    running
  clone             400 Node busy.                            booting        -                                                                                    running
  clone to other    400 Node busy.                            booting        -                                                                                    running
  clone onto        400 Node busy.                            booting        -                                                                                    running
  migrate           400 Node busy.                            booting        -                                                                                    running
  migrate region    400 Node busy.                            booting        -                                                                                    running
  password          400 Node busy.                            booting        -                                                                                    running
  add address       200 address                               booting        node_addip                                                                           running
  add public        200 address                               booting        node_addip                                                                           running
  remove address    200 {}                                    booting        node_deleteip                                                                        running
  name address      200 address                               booting        ipaddress_update                                                                     running
  add disk          400 Node busy.                            booting        -                                                                                    running
  label disk        200 disk                                  booting        disk_update                                                                          running
  resize disk       400 Node busy.                            booting        -                                                                                    running
  delete disk       400 Node busy.                            booting        -                                                                                    running
  add config        200 config                                booting        node_config_create                                                                   running
  change config     200 config                                booting        node_config_update                                                                   running
  delete config     200 {}                                    booting        node_config_delete                                                                   running
  enable backups    200 {}                                    booting        -                                                                                    running
  cancel backups    200 {}                                    booting        backups_cancel                                                                       running
  schedule backups  200 node                                  booting        node_update                                                                          running
  snapshot          400 Node busy.                            booting        -                                                                                    running
  restore           400 Node busy.                            booting        -                                                                                    running
  attach volume     400 Node busy.                            booting        -                                                                                    running
  create volume     400 Node busy.                            booting        -                                                                                    running
  detach volume     400 Node busy.                            booting        -                                                                                    running
  add firewall      200 device                                booting        firewall_device_add                                                                  running
  remove firewall   200 {}                                    booting        firewall_device_remove                                                               running
  delete            200 {}                                    deleting       node_boot failed 1, volume_detach, node_delete finished 10                           gone

rebooting
  view              200 node                                  rebooting      -                                                                                    running
  label             200 node                                  rebooting      node_update                                                                          running
  tags              200 node                                  rebooting      node_update, tag_create                                                              running
  tag               200 tag                                   rebooting      tag_create                                                                           running
  boot              400 Node busy.                            rebooting      -                                                                                    running
  boot config       400 Node busy.                            rebooting      -                                                                                    running
  reboot            400 Node busy.                            rebooting      -                                                                                    running
  shut down         400 Node busy.                            rebooting      -                                                                                    running
  rescue            400 Node busy.                            rebooting      -                                                                                    running
  rebuild           400 Node busy.                            rebooting      -                                                                                    running
  resize            400 Node busy.                            rebooting      -                                                                                    running
  clone             400 Node busy.                            rebooting      -                                                                                    running
  clone to other    400 Node busy.                            rebooting      -                                                                                    running
  clone onto        400 Node busy.                            rebooting      -                                                                                    running
  migrate           400 Node busy.                            rebooting      -                                                                                    running
  migrate region    400 Node busy.                            rebooting      -                                                                                    running
  password          400 Node busy.                            rebooting      -                                                                                    running
  add address       200 address                               rebooting      node_addip                                                                           running
  add public        200 address                               rebooting      node_addip                                                                           running
  remove address    200 {}                                    rebooting      node_deleteip                                                                        running
  name address      200 address                               rebooting      ipaddress_update                                                                     running
  add disk          400 Node busy.                            rebooting      -                                                                                    running
  label disk        200 disk                                  rebooting      disk_update                                                                          running
  resize disk       400 Node busy.                            rebooting      -                                                                                    running
  delete disk       400 Node busy.                            rebooting      -                                                                                    running
  add config        200 config                                rebooting      node_config_create                                                                   running
  change config     200 config                                rebooting      node_config_update                                                                   running
  delete config     200 {}                                    rebooting      node_config_delete                                                                   running
  enable backups    200 {}                                    rebooting      -                                                                                    running
  cancel backups    200 {}                                    rebooting      backups_cancel                                                                       running
  schedule backups  200 node                                  rebooting      node_update                                                                          running
  snapshot          400 Node busy.                            rebooting      -                                                                                    running
  restore           400 Node busy.                            rebooting      -                                                                                    running
  attach volume     400 Node busy.                            rebooting      -                                                                                    running
  create volume     400 Node busy.                            rebooting      -                                                                                    running
  detach volume     400 Node busy.                            rebooting      -                                                                                    running
  add firewall      200 device                                rebooting      firewall_device_add                                                                  running
  remove firewall   200 {}                                    rebooting      firewall_device_remove                                                               running
  delete            200 {}                                    deleting       node_reboot failed 1, volume_detach, node_delete finished 10                         gone

shutting down
  view              200 node                                  shutting_down  -                                                                                    offline
  label             200 node                                  shutting_down  node_update                                                                          offline
  tags              200 node                                  shutting_down  node_update, tag_create                                                              offline
  tag               200 tag                                   shutting_down  tag_create                                                                           offline
  boot              400 Node busy.                            shutting_down  -                                                                                    offline
  boot config       400 Node busy.                            shutting_down  -                                                                                    offline
  reboot            400 Node busy.                            shutting_down  -                                                                                    offline
  shut down         400 Node busy.                            shutting_down  -                                                                                    offline
  rescue            400 Node busy.                            shutting_down  -                                                                                    offline
  rebuild           400 Node busy.                            shutting_down  -                                                                                    offline
  resize            400 Node busy.                            shutting_down  -                                                                                    offline
  clone             400 Node busy.                            shutting_down  -                                                                                    offline
  clone to other    400 Node busy.                            shutting_down  -                                                                                    offline
  clone onto        400 Node busy.                            shutting_down  -                                                                                    offline
  migrate           400 Node busy.                            shutting_down  -                                                                                    offline
  migrate region    400 Node busy.                            shutting_down  -                                                                                    offline
  password          400 Node busy.                            shutting_down  -                                                                                    offline
  add address       200 address                               shutting_down  node_addip                                                                           offline
  add public        200 address                               shutting_down  node_addip                                                                           offline
  remove address    200 {}                                    shutting_down  node_deleteip                                                                        offline
  name address      200 address                               shutting_down  ipaddress_update                                                                     offline
  add disk          400 Node busy.                            shutting_down  -                                                                                    offline
  label disk        200 disk                                  shutting_down  disk_update                                                                          offline
  resize disk       400 Node busy.                            shutting_down  -                                                                                    offline
  delete disk       400 Node busy.                            shutting_down  -                                                                                    offline
  add config        200 config                                shutting_down  node_config_create                                                                   offline
  change config     200 config                                shutting_down  node_config_update                                                                   offline
  delete config     200 {}                                    shutting_down  node_config_delete                                                                   offline
  enable backups    200 {}                                    shutting_down  -                                                                                    offline
  cancel backups    200 {}                                    shutting_down  backups_cancel                                                                       offline
  schedule backups  200 node                                  shutting_down  node_update                                                                          offline
  snapshot          400 Node busy.                            shutting_down  -                                                                                    offline
  restore           400 Node busy.                            shutting_down  -                                                                                    offline
  attach volume     400 Node busy.                            shutting_down  -                                                                                    offline
  create volume     400 Node busy.                            shutting_down  -                                                                                    offline
  detach volume     400 Node busy.                            shutting_down  -                                                                                    offline
  add firewall      200 device                                shutting_down  firewall_device_add                                                                  offline
  remove firewall   200 {}                                    shutting_down  firewall_device_remove                                                               offline
  delete            200 {}                                    deleting       node_shutdown failed 1, volume_detach, node_delete finished 10                       gone

rebuilding
  view              200 node                                  rebuilding     -                                                                                    offline
  label             200 node                                  rebuilding     node_update                                                                          offline
  tags              200 node                                  rebuilding     node_update, tag_create                                                              offline
  tag               200 tag                                   rebuilding     tag_create                                                                           offline
  boot              400 Node busy.                            rebuilding     -                                                                                    offline
  boot config       400 Node busy.                            rebuilding     -                                                                                    offline
  reboot            400 Node busy.                            rebuilding     -                                                                                    offline
  shut down         400 Node busy.                            rebuilding     -                                                                                    offline
  rescue            400 Node busy.                            rebuilding     -                                                                                    offline
  rebuild           400 Node busy.                            rebuilding     -                                                                                    offline
  resize            400 Node busy.                            rebuilding     -                                                                                    offline
  clone             400 Node busy.                            rebuilding     -                                                                                    offline
  clone to other    400 Node busy.                            rebuilding     -                                                                                    offline
  clone onto        400 Node busy.                            rebuilding     -                                                                                    offline
  migrate           400 Node busy.                            rebuilding     -                                                                                    offline
  migrate region    400 Node busy.                            rebuilding     -                                                                                    offline
  password          400 Node busy.                            rebuilding     -                                                                                    offline
  add address       200 address                               rebuilding     node_addip                                                                           offline
  add public        200 address                               rebuilding     node_addip                                                                           offline
  remove address    200 {}                                    rebuilding     node_deleteip                                                                        offline
  name address      200 address                               rebuilding     ipaddress_update                                                                     offline
  add disk          400 Node busy.                            rebuilding     -                                                                                    offline
  label disk        200 disk                                  rebuilding     disk_update                                                                          offline
  resize disk       400 Node busy.                            rebuilding     -                                                                                    offline
  delete disk       400 Node busy.                            rebuilding     -                                                                                    offline
  add config        200 config                                rebuilding     node_config_create                                                                   offline
  change config     200 config                                rebuilding     node_config_update                                                                   offline
  delete config     200 {}                                    rebuilding     node_config_delete                                                                   offline
  enable backups    200 {}                                    rebuilding     -                                                                                    offline
  cancel backups    200 {}                                    rebuilding     backups_cancel                                                                       offline
  schedule backups  200 node                                  rebuilding     node_update                                                                          offline
  snapshot          400 Node busy.                            rebuilding     -                                                                                    offline
  restore           400 Node busy.                            rebuilding     -                                                                                    offline
  attach volume     400 Node busy.                            rebuilding     -                                                                                    offline
  create volume     400 Node busy.                            rebuilding     -                                                                                    offline
  detach volume     400 Node busy.                            rebuilding     -                                                                                    offline
  add firewall      200 device                                rebuilding     firewall_device_add                                                                  offline
  remove firewall   200 {}                                    rebuilding     firewall_device_remove                                                               offline
  delete            200 {}                                    deleting       node_rebuild failed 1, volume_detach, node_delete finished 10                        gone

resizing
  view              200 node                                  migrating      -                                                                                    running
  label             200 node                                  migrating      node_update                                                                          running
  tags              200 node                                  migrating      node_update, tag_create                                                              running
  tag               200 tag                                   migrating      tag_create                                                                           running
  boot              400 Node busy.                            migrating      -                                                                                    running
  boot config       400 Node busy.                            migrating      -                                                                                    running
  reboot            400 Node busy.                            migrating      -                                                                                    running
  shut down         400 Node busy.                            migrating      -                                                                                    running
  rescue            400 Node busy.                            migrating      -                                                                                    running
  rebuild           400 Node busy.                            migrating      -                                                                                    running
  resize            400 Node busy.                            migrating      -                                                                                    running
  clone             400 Node busy.                            migrating      -                                                                                    running
  clone to other    400 Node busy.                            migrating      -                                                                                    running
  clone onto        400 Node busy.                            migrating      -                                                                                    running
  migrate           400 Node busy.                            migrating      -                                                                                    running
  migrate region    400 Node busy.                            migrating      -                                                                                    running
  password          400 Node busy.                            migrating      -                                                                                    running
  add address       200 address                               migrating      node_addip                                                                           running
  add public        200 address                               migrating      node_addip                                                                           running
  remove address    200 {}                                    migrating      node_deleteip                                                                        running
  name address      200 address                               migrating      ipaddress_update                                                                     running
  add disk          400 Node busy.                            migrating      -                                                                                    running
  label disk        200 disk                                  migrating      disk_update                                                                          running
  resize disk       400 Node busy.                            migrating      -                                                                                    running
  delete disk       400 Node busy.                            migrating      -                                                                                    running
  add config        200 config                                migrating      node_config_create                                                                   running
  change config     200 config                                migrating      node_config_update                                                                   running
  delete config     200 {}                                    migrating      node_config_delete                                                                   running
  enable backups    200 {}                                    migrating      -                                                                                    running
  cancel backups    200 {}                                    migrating      backups_cancel                                                                       running
  schedule backups  200 node                                  migrating      node_update                                                                          running
  snapshot          400 Node busy.                            migrating      -                                                                                    running
  restore           400 Node busy.                            migrating      -                                                                                    running
  attach volume     400 Node busy.                            migrating      -                                                                                    running
  create volume     400 Node busy.                            migrating      -                                                                                    running
  detach volume     400 Node busy.                            migrating      -                                                                                    running
  add firewall      200 device                                migrating      firewall_device_add                                                                  running
  remove firewall   200 {}                                    migrating      firewall_device_remove                                                               running
  delete            200 {}                                    deleting       node_resize failed 1, volume_detach, node_delete finished 10                         gone

migrating
  view              200 node                                  migrating      -                                                                                    stopped
  label             200 node                                  migrating      node_update                                                                          stopped
  tags              200 node                                  migrating      node_update, tag_create                                                              stopped
  tag               200 tag                                   migrating      tag_create                                                                           stopped
  boot              400 Node busy.                            migrating      -                                                                                    stopped
  boot config       400 Node busy.                            migrating      -                                                                                    stopped
  reboot            400 Node busy.                            migrating      -                                                                                    stopped
  shut down         400 Node busy.                            migrating      -                                                                                    stopped
  rescue            400 Node busy.                            migrating      -                                                                                    stopped
  rebuild           400 Node busy.                            migrating      -                                                                                    stopped
  resize            400 Node busy.                            migrating      -                                                                                    stopped
  clone             400 Node busy.                            migrating      -                                                                                    stopped
  clone to other    400 Node busy.                            migrating      -                                                                                    stopped
  clone onto        400 Node busy.                            migrating      -                                                                                    stopped
  migrate           400 Node busy.                            migrating      -                                                                                    stopped
  migrate region    400 Node busy.                            migrating      -                                                                                    stopped
  password          400 Node busy.                            migrating      -                                                                                    stopped
  add address       200 address                               migrating      node_addip                                                                           stopped
  add public        200 address                               migrating      node_addip                                                                           stopped
  remove address    200 {}                                    migrating      node_deleteip                                                                        stopped
  name address      200 address                               migrating      ipaddress_update                                                                     stopped
  add disk          400 Node busy.                            migrating      -                                                                                    stopped
  label disk        200 disk                                  migrating      disk_update                                                                          stopped
  resize disk       400 Node busy.                            migrating      -                                                                                    stopped
  delete disk       400 Node busy.                            migrating      -                                                                                    stopped
  add config        200 config                                migrating      node_config_create                                                                   stopped
  change config     200 config                                migrating      node_config_update                                                                   stopped
  delete config     200 {}                                    migrating      node_config_delete                                                                   stopped
  enable backups    200 {}                                    migrating      -                                                                                    stopped
  cancel backups    200 {}                                    migrating      backups_cancel                                                                       stopped
  schedule backups  200 node                                  migrating      node_update                                                                          stopped
  snapshot          400 Node busy.                            migrating      -                                                                                    stopped
  restore           400 Node busy.                            migrating      -                                                                                    stopped
  attach volume     400 Node busy.                            migrating      -                                                                                    stopped
  create volume     400 Node busy.                            migrating      -                                                                                    stopped
  detach volume     400 Node busy.                            migrating      -                                                                                    stopped
  add firewall      200 device                                migrating      firewall_device_add                                                                  stopped
  remove firewall   200 {}                                    migrating      firewall_device_remove                                                               stopped
  delete            200 {}                                    deleting       node_migrate failed 1, volume_detach, node_delete finished 10                        gone

cloning
  view              200 node                                  cloning        -                                                                                    running
  label             200 node                                  cloning        node_update                                                                          running
  tags              200 node                                  cloning        node_update, tag_create                                                              running
  tag               200 tag                                   cloning        tag_create                                                                           running
  boot              400 Node busy.                            cloning        -                                                                                    running
  boot config       400 Node busy.                            cloning        -                                                                                    running
  reboot            400 Node busy.                            cloning        -                                                                                    running
  shut down         400 Node busy.                            cloning        -                                                                                    running
  rescue            400 Node busy.                            cloning        -                                                                                    running
  rebuild           400 Node busy.                            cloning        -                                                                                    running
  resize            400 Node busy.                            cloning        -                                                                                    running
  clone             400 Node busy.                            cloning        -                                                                                    running
  clone to other    400 Node busy.                            cloning        -                                                                                    running
  clone onto        400 Node busy.                            cloning        -                                                                                    running
  migrate           400 Node busy.                            cloning        -                                                                                    running
  migrate region    400 Node busy.                            cloning        -                                                                                    running
  password          400 Node busy.                            cloning        -                                                                                    running
  add address       200 address                               cloning        node_addip                                                                           running
  add public        200 address                               cloning        node_addip                                                                           running
  remove address    200 {}                                    cloning        node_deleteip                                                                        running
  name address      200 address                               cloning        ipaddress_update                                                                     running
  add disk          400 Node busy.                            cloning        -                                                                                    running
  label disk        200 disk                                  cloning        disk_update                                                                          running
  resize disk       400 Node busy.                            cloning        -                                                                                    running
  delete disk       400 Node busy.                            cloning        -                                                                                    running
  add config        200 config                                cloning        node_config_create                                                                   running
  change config     200 config                                cloning        node_config_update                                                                   running
  delete config     200 {}                                    cloning        node_config_delete                                                                   running
  enable backups    200 {}                                    cloning        -                                                                                    running
  cancel backups    200 {}                                    cloning        backups_cancel                                                                       running
  schedule backups  200 node                                  cloning        node_update                                                                          running
  snapshot          400 Node busy.                            cloning        -                                                                                    running
  restore           400 Node busy.                            cloning        -                                                                                    running
  attach volume     400 Node busy.                            cloning        -                                                                                    running
  create volume     400 Node busy.                            cloning        -                                                                                    running
  detach volume     400 Node busy.                            cloning        -                                                                                    running
  add firewall      200 device                                cloning        firewall_device_add                                                                  running
  remove firewall   200 {}                                    cloning        firewall_device_remove                                                               running
  delete            200 {}                                    deleting       node_clone failed 1, volume_detach, node_delete finished 10                          gone

restoring
  view              200 node                                  restoring      -                                                                                    offline
  label             200 node                                  restoring      node_update                                                                          offline
  tags              200 node                                  restoring      node_update, tag_create                                                              offline
  tag               200 tag                                   restoring      tag_create                                                                           offline
  boot              400 Node busy.                            restoring      -                                                                                    offline
  boot config       400 Node busy.                            restoring      -                                                                                    offline
  reboot            400 Node busy.                            restoring      -                                                                                    offline
  shut down         400 Node busy.                            restoring      -                                                                                    offline
  rescue            400 Node busy.                            restoring      -                                                                                    offline
  rebuild           400 Node busy.                            restoring      -                                                                                    offline
  resize            400 Node busy.                            restoring      -                                                                                    offline
  clone             400 Node busy.                            restoring      -                                                                                    offline
  clone to other    400 Node busy.                            restoring      -                                                                                    offline
  clone onto        400 Node busy.                            restoring      -                                                                                    offline
  migrate           400 Node busy.                            restoring      -                                                                                    offline
  migrate region    400 Node busy.                            restoring      -                                                                                    offline
  password          400 Node busy.                            restoring      -                                                                                    offline
  add address       200 address                               restoring      node_addip                                                                           offline
  add public        200 address                               restoring      node_addip                                                                           offline
  remove address    200 {}                                    restoring      node_deleteip                                                                        offline
  name address      200 address                               restoring      ipaddress_update                                                                     offline
  add disk          400 Node busy.                            restoring      -                                                                                    offline
  label disk        200 disk                                  restoring      disk_update                                                                          offline
  resize disk       400 Node busy.                            restoring      -                                                                                    offline
  delete disk       400 Node busy.                            restoring      -                                                                                    offline
  add config        200 config                                restoring      node_config_create                                                                   offline
  change config     200 config                                restoring      node_config_update                                                                   offline
  delete config     200 {}                                    restoring      node_config_delete                                                                   offline
  enable backups    200 {}                                    restoring      -                                                                                    offline
  cancel backups    200 {}                                    restoring      backups_cancel                                                                       offline
  schedule backups  200 node                                  restoring      node_update                                                                          offline
  snapshot          400 Node busy.                            restoring      -                                                                                    offline
  restore           400 Node busy.                            restoring      -                                                                                    offline
  attach volume     400 Node busy.                            restoring      -                                                                                    offline
  create volume     400 Node busy.                            restoring      -                                                                                    offline
  detach volume     400 Node busy.                            restoring      -                                                                                    offline
  add firewall      200 device                                restoring      firewall_device_add                                                                  offline
  remove firewall   200 {}                                    restoring      firewall_device_remove                                                               offline
  delete            200 {}                                    deleting       backups_restore failed 1, volume_detach, node_delete finished 10                     gone

deleting
  view              200 node                                  deleting       -                                                                                    gone
  label             400 Node busy.                            deleting       -                                                                                    gone
  tags              400 Node busy.                            deleting       -                                                                                    gone
  tag               400 Node busy.                            deleting       -                                                                                    gone
  boot              400 Node busy.                            deleting       -                                                                                    gone
  boot config       400 Node busy.                            deleting       -                                                                                    gone
  reboot            400 Node busy.                            deleting       -                                                                                    gone
  shut down         400 Node busy.                            deleting       -                                                                                    gone
  rescue            400 Node busy.                            deleting       -                                                                                    gone
  rebuild           400 Node busy.                            deleting       -                                                                                    gone
  resize            400 Node busy.                            deleting       -                                                                                    gone
  clone             400 Node busy.                            deleting       -                                                                                    gone
  clone to other    400 Node busy.                            deleting       -                                                                                    gone
  clone onto        400 Node busy.                            deleting       -                                                                                    gone
  migrate           400 Node busy.                            deleting       -                                                                                    gone
  migrate region    400 Node busy.                            deleting       -                                                                                    gone
  password          400 Node busy.                            deleting       -                                                                                    gone
  add address       400 Node busy.                            deleting       -                                                                                    gone
  add public        400 Node busy.                            deleting       -                                                                                    gone
  remove address    400 Node busy.                            deleting       -                                                                                    gone
  name address      400 Node busy.                            deleting       -                                                                                    gone
  add disk          400 Node busy.                            deleting       -                                                                                    gone
  label disk        400 Node busy.                            deleting       -                                                                                    gone
  resize disk       400 Node busy.                            deleting       -                                                                                    gone
  delete disk       400 Node busy.                            deleting       -                                                                                    gone
  add config        400 Node busy.                            deleting       -                                                                                    gone
  change config     400 Node busy.                            deleting       -                                                                                    gone
  delete config     400 Node busy.                            deleting       -                                                                                    gone
  enable backups    400 Node busy.                            deleting       -                                                                                    gone
  cancel backups    400 Node busy.                            deleting       -                                                                                    gone
  schedule backups  400 Node busy.                            deleting       -                                                                                    gone
  snapshot          400 Node busy.                            deleting       -                                                                                    gone
  restore           400 Node busy.                            deleting       -                                                                                    gone
  attach volume     400 Node busy.                            deleting       -                                                                                    gone
  create volume     400 Node busy.                            deleting       -                                                                                    gone
  detach volume     400 The volume is not attached to a node  deleting       -                                                                                    gone
  add firewall      400 Node busy.                            deleting       -                                                                                    gone
  remove firewall   404 Not found                             deleting       -                                                                                    gone
  delete            400 Node busy.                            deleting       -                                                                                    gone
`;

/** Profile live creates an empty node by a job, and a clone does not show in the status of its target. */
const liveStates: Readonly<Record<string, Step[]>> = {
  "creating, empty": [["POST", "/node/instances", { ...ofType, label: "web" }, 1]],
  "cloning, new": [["POST", `${other}/clone`, { ...ofType, label: "web" }, 1]],
  "cloning, offline": [
    ["POST", "/node/instances", { ...ofType, label: "web" }, 8],
    ["POST", `${other}/clone`, { node_id: 2 }, 1],
  ],
  "cloning, running": [
    ["POST", "/node/instances", { ...ofType, ...debian, label: "web" }, 74],
    ["POST", `${other}/clone`, { node_id: 2 }, 1],
  ],
};
const liveActions = [
  "view",
  "label",
  "boot",
  "shut down",
  "resize",
  "clone onto",
  "password",
  "add address",
  "add disk",
  "delete",
];
const liveTable = `
creating, empty
  view         200 node          provisioning  -                                                  offline
  label        200 node          provisioning  linode_update                                      offline
  boot         400 Linode busy.  provisioning  -                                                  offline
  shut down    400 Linode busy.  provisioning  -                                                  offline
  resize       400 Linode busy.  provisioning  -                                                  offline
  clone onto   400 Linode busy.  provisioning  -                                                  offline
  password     400 Linode busy.  provisioning  -                                                  offline
  add address  200 address       provisioning  linode_addip                                       offline
  add disk     400 Linode busy.  provisioning  -                                                  offline
  delete       200 {}            deleting      linode_create failed 1, linode_delete finished 10  gone

cloning, new
  view         200 node          offline       -                                                  offline
  label        200 node          offline       linode_update                                      offline
  boot         400 Linode busy.  offline       -                                                  offline
  shut down    400 Linode busy.  offline       -                                                  offline
  resize       400 Linode busy.  offline       -                                                  offline
  clone onto   400 Linode busy.  offline       -                                                  offline
  password     400 Linode busy.  offline       -                                                  offline
  add address  200 address       offline       linode_addip                                       offline
  add disk     400 Linode busy.  offline       -                                                  offline
  delete       200 {}            deleting      linode_clone failed 1, linode_delete finished 10   gone

cloning, offline
  view         200 node          offline       -                                                  offline
  label        200 node          offline       linode_update                                      offline
  boot         400 Linode busy.  offline       -                                                  offline
  shut down    400 Linode busy.  offline       -                                                  offline
  resize       400 Linode busy.  offline       -                                                  offline
  clone onto   400 Linode busy.  offline       -                                                  offline
  password     400 Linode busy.  offline       -                                                  offline
  add address  200 address       offline       linode_addip                                       offline
  add disk     400 Linode busy.  offline       -                                                  offline
  delete       200 {}            deleting      linode_clone failed 1, linode_delete finished 10   gone

cloning, running
  view         200 node          running       -                                                  running
  label        200 node          running       linode_update                                      running
  boot         400 Linode busy.  running       -                                                  running
  shut down    400 Linode busy.  running       -                                                  running
  resize       400 Linode busy.  running       -                                                  running
  clone onto   400 Linode busy.  running       -                                                  running
  password     400 Linode busy.  running       -                                                  running
  add address  200 address       running       linode_addip                                       running
  add disk     400 Linode busy.  running       -                                                  running
  delete       200 {}            deleting      linode_clone failed 1, linode_delete finished 10   gone
`;

const blocks = blocksOf(table);
const liveBlocks = blocksOf(liveTable);

function blocksOf(text: string): { state: string; rows: string[] }[] {
  return text
    .trim()
    .split("\n\n")
    .map((block) => {
      const [state = "", ...rows] = block.split("\n");
      return { state, rows: rows.map((row) => row.trim().split(/ {2,}/).join(" | ")) };
    });
}

test.each([
  ["documented", blocks, Object.keys(states), Object.keys(actions)],
  ["live", liveBlocks, Object.keys(liveStates), liveActions],
] as const)("every action in every state has a row: %s", (_, found, wantedStates, wantedActions) => {
  const cells = wantedStates.map((state) => [state, wantedActions]);
  expect(found.map(({ state, rows }) => [state, rows.map((row) => row.split(" | ")[0])])).toEqual(cells);
});

test.each(blocks)("$state: every action has its reply, events and end", ({ state, rows }) =>
  check([...surroundings, ...(states[state] ?? [])], Object.keys(actions), rows),
);

test.each(liveBlocks)("live, $state: every action has its reply, events and end", ({ state, rows }) => {
  const neighbor: Step = ["POST", "/node/instances", { ...ofType, label: "other" }, 8];
  return check([neighbor, ...(liveStates[state] ?? [])], liveActions, rows, "live");
});

/** Tries each of these actions in the state after the steps, and compares with the rows. */
async function check(
  steps: readonly (Step | typeof maintenance)[],
  names: readonly string[],
  rows: readonly string[],
  profile: Profile = "documented",
): Promise<void> {
  const { store, undo } = undoable(await emptyStore());
  const catalog = { ...embeddedCatalog, extra_public_ipv4: 2 };
  const api = await start({ store, catalog, profile, jobDriver: simulatedDriver(1) });
  const pass = (seconds: number) => {
    api.clock.now = new Date(api.clock.now.getTime() + seconds * 1000);
  };
  const show = async () => (await api.call("GET", node)).body.status ?? "gone";
  for (const step of steps) {
    if (step === maintenance) {
      await show(); // settles the job before
      const wanted = { node_id: 2, type: "reboot", reason: "new kernel", begins: api.clock.now } as const;
      await beginMaintenance(store, await addMaintenance(store, wanted), api.clock.now);
      continue;
    }
    const [method, path, body, seconds] = step;
    expect(await api.call(method, path, body)).toMatchObject({ status: 200 });
    pass(seconds);
  }
  const began = api.clock.now;
  const last = (await listEvents(api)).at(-1)?.id ?? 0;
  const found: string[] = [];
  let untouched: unknown;
  for (const action of names)
    await undo(async () => {
      api.clock.now = began;
      const [first, request = expect.fail(action)] = [before[action], actions[action]];
      if (first) await api.call(...first);
      const reply = describeReply(await api.call(...request));
      const then = await show();
      pass(600);
      const end = await show();
      const all = await listEvents(api);
      const own = all.filter(({ id, status }) => id > last || status === "failed").map(describeEvent);
      found.push([action, reply, then, own.join(", ") || "-", end].join(" | "));
      // After a refused request, all becomes as if it had not been sent.
      if (action === "view") untouched = await dump(store);
      else if (!reply.startsWith("200")) expect([action, await dump(store)]).toEqual([action, untouched]);
    });
  expect(found).toEqual(rows);
}

type Api = Awaited<ReturnType<typeof start>>;

/** All events, the oldest first. */
async function listEvents({ call }: Api): Promise<ApiEvent[]> {
  return (await call("GET", "/account/events?page_size=500")).body.data.reverse();
}

/** The rows of the tables that actions change. */
function dump(store: Store): Promise<unknown[]> {
  const tables = ["nodes", "disks", "node_configs", "backups", "addresses", "volumes", "firewall_devices"] as const;
  const common = ["tagged", "events", "jobs"] as const;
  return store.read(async (db) => {
    const rows = [];
    for (const table of [...tables, ...common]) rows.push(await db.selectFrom(table).selectAll().execute());
    return rows;
  });
}

function describeEvent({ action, status, duration }: ApiEvent): string {
  return status === "notification" ? action : `${action} ${status} ${duration}`;
}

/** Resources in replies, by a key that only they have. */
const shown = {
  specs: "node",
  filesystem: "disk",
  helpers: "config",
  finished: "backup",
  subnet_mask: "address",
  filesystem_path: "volume",
  entity: "device",
};

function describeReply({ status, body }: Answer): string {
  if (body.errors) return `${status} ${body.errors[0].reason}`;
  const keys = Object.keys(body);
  const [, kind = keys.join()] = Object.entries(shown).find(([key]) => keys.includes(key)) ?? [];
  return `${status} ${kind === "label" ? "tag" : kind || "{}"}`;
}

/** A store, and a function that undoes all writes of some work, whose transactions become parts of one. */
function undoable(store: Store) {
  let outer: Database | undefined;
  let version = 0;
  const runPart = async <T>(db: Database, work: (db: Database) => Promise<T>): Promise<T> => {
    await sql`savepoint part`.execute(db);
    try {
      return await work(db);
    } catch (error) {
      await sql`rollback to savepoint part`.execute(db);
      throw error;
    }
  };
  const parts: Store = {
    ...store,
    read: (work) => (outer === undefined ? store.read(work) : work(outer)),
    write: (work) => (outer === undefined ? store.write(work) : runPart(outer, work)),
    // Parts change the database without a commit.
    knownVersion: () => ++version,
  };
  const undo = async (work: () => Promise<void>) => {
    const done = new Error("undone");
    const all = store.write(async (db) => {
      outer = db;
      try {
        await work();
      } finally {
        outer = undefined;
      }
      throw done;
    });
    await expect(all).rejects.toBe(done);
  };
  return { store: parts, undo };
}
