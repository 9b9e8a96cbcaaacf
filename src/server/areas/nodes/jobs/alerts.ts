import type { Alerts } from "../../../../contract/resources/node.ts";
import type { Statistics } from "../../../../contract/resources/node-stats.ts";
import { findLockedAccount } from "../../../entities/accounts-rows.ts";
import { parseTimestamp, timestamp } from "../../../kit/timestamp.ts";
import type { Database, NodeRow } from "../../../store/tables.ts";
import type { Sample } from "../../billing/node-samples-rows.ts";
import { gigabyte, monthOf, quotaOf, readTraffic } from "../../billing/traffic.ts";
import { queueMail } from "../../mail/outbox.ts";
import { readStatistics } from "./stats.ts";

const hour = 60 * 60 * 1000;
/** Milliseconds of the means that alerts are about: those of a month's statistics. */
const twoHours = 2 * hour;

/** The alerts that are about means, and the mean in a step of two hours. */
const means: readonly { readonly alert: keyof Alerts; readonly mean: (statistics: Statistics) => number }[] = [
  { alert: "cpu", mean: ({ cpu }) => only(cpu) },
  { alert: "io", mean: ({ io }) => only(io.io) },
  { alert: "network_in", mean: ({ netv4, netv6 }) => (only(netv4.in) + only(netv6.in)) / 1e6 },
  { alert: "network_out", mean: ({ netv4, netv6 }) => (only(netv4.out) + only(netv6.out)) / 1e6 },
];

const units: Readonly<Record<keyof Alerts, string>> = {
  cpu: "% of a virtual CPU",
  io: "disk operations a second",
  network_in: "Mbit/s of incoming traffic",
  network_out: "Mbit/s of outgoing traffic",
  transfer_quota: "% of the month's traffic",
};

/**
 * Mails the account of a node for each alert whose threshold is below the mean of two hours, once these hours have
 * passed: those of the samples, and those before. Hours that ended a day ago are history.
 */
export async function mailMeans(
  db: Database,
  node: NodeRow,
  samples: readonly Pick<Sample, "at">[],
  now: Date,
): Promise<void> {
  const starts = samples.flatMap(({ at }) => {
    const start = Math.floor(parseTimestamp(at).getTime() / twoHours) * twoHours;
    return [start - twoHours, start];
  });
  const alerts: Alerts = JSON.parse(node.alerts);
  for (const from of [...new Set(starts)].sort((a, b) => a - b)) {
    const until = from + twoHours;
    if (until > now.getTime() || until <= now.getTime() - 24 * hour) continue;
    const statistics = await readStatistics(db, node.id, { from, until }, twoHours);
    for (const { alert, mean } of means) {
      const value = Math.round(mean(statistics) * 100) / 100;
      if (alerts[alert] === 0 || value <= alerts[alert]) continue;
      const hours = `from ${timestamp(new Date(from))} to ${timestamp(new Date(until))} UTC`;
      const text = `The mean ${hours} is ${value} ${units[alert]}; the threshold is ${alerts[alert]}.`;
      await mailAlert(db, node, { alert, text, about: String(from / 1000) }, now);
    }
  }
}

/** Percent of a node's traffic of the month. */
export async function readUsedQuota(db: Database, node: NodeRow, now: Date): Promise<number> {
  const month = monthOf(now);
  const { bytes_out } = await readTraffic(db, node.id, month);
  return (100 * bytes_out) / Math.max(1, quotaOf(node, month) * gigabyte);
}

/** Mails the account of a node whose traffic of the month exceeds the threshold, but did not `before`. */
export async function mailQuota(db: Database, node: NodeRow, before: number, now: Date): Promise<void> {
  const { transfer_quota }: Alerts = JSON.parse(node.alerts);
  const used = await readUsedQuota(db, node, now);
  if (transfer_quota === 0 || before > transfer_quota || used <= transfer_quota) return;
  const text = `It has used ${Math.floor(used)} ${units.transfer_quota}; the threshold is ${transfer_quota}.`;
  await mailAlert(db, node, { alert: "transfer_quota", text, about: timestamp(now).slice(0, 7) }, now);
}

interface AlertNews {
  readonly alert: keyof Alerts;
  readonly text: string;
  /** The time that it is about, so that it is mailed once. */
  readonly about: string;
}

async function mailAlert(db: Database, node: NodeRow, { alert, text, about }: AlertNews, now: Date): Promise<void> {
  const account = await findLockedAccount(db, "id", node.account_id);
  if (account === undefined || account.email === "") return;
  const { email, first_name, last_name } = account;
  const reason = `You receive this message because of its alert "${alert}". Replies to it are not read.`;
  const message = {
    name: `${first_name} ${last_name}`.trim(),
    email,
    subject: `${node.label}: ${alert} alert`,
    text: `"${node.label}" (id ${node.id}) exceeds a threshold.\n\n${text}\n\n${reason}`,
    about: `node ${node.id} ${alert} ${about}`,
  };
  await queueMail(db, account, message, now);
}

/** The only value of a series; 0 if the node did not run. */
function only(series: readonly (readonly number[])[]): number {
  return series[0]?.[1] ?? 0;
}
