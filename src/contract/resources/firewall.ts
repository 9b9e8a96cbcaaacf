import * as z from "zod";
import { annotate, moment, openEnum, sent, wider, word } from "../meta.ts";
import { entity } from "./event.ts";
import { tagLabel, visibleLabel } from "./label.ts";

export const firewallStatuses = ["enabled", "disabled"] as const;
export type FirewallStatus = (typeof firewallStatuses)[number];

const policies = ["ACCEPT", "DROP"] as const;
export const protocols = ["TCP", "UDP", "ICMP", "IPENCAP"] as const;
export const protocolReason = `Must be one of ${protocols.join(", ")}`;

const texts = {
  label: "Name of the firewall",
  tags: "For display only; tags are unique, case-insensitive",
  status: "Whether the rules apply",
  ports: "Ports and ranges of ports, separated by commas",
};

const networks = z.array(z.string()).nullish().describe("Networks in CIDR form");

const kept = {
  ports: z.string().nullish().describe(texts.ports),
  addresses: z.object({ ipv4: networks, ipv6: networks }).nullish(),
  label: z.string().nullish().describe("For display only"),
  description: z.string().nullish().describe("For display only"),
};

const rule = z.object({ action: openEnum(policies), protocol: openEnum(protocols), ...kept });
const rules = wider(z.array(rule).nullable().describe("Null if the request had null"), z.array(rule));

/** The rules of a firewall in replies: they are kept, not enforced, and shown as they were sent. */
export const firewallRules = z.object({
  inbound: rules,
  inbound_policy: openEnum(policies),
  outbound: rules,
  outbound_policy: openEnum(policies),
  version: sent(z.int().describe("How many times the rules were written"), "live"),
  fingerprint: sent(z.string().describe("A word that equal rules share"), "live"),
});

const parent_entity = entity.nullable().describe("Always null");

/** A firewall in replies of the API (decisions/documents#firewalls-and-volumes). */
export const firewall = z.object({
  id: z.int().describe("Id of the firewall"),
  label: annotate(z.string().describe(texts.label), { minLength: 3, maxLength: 32 }),
  created: moment("When the firewall was created"),
  updated: moment("When the firewall was last changed"),
  status: openEnum(firewallStatuses),
  rules: firewallRules,
  tags: z.array(annotate(z.string(), { minLength: 3, maxLength: 50 })).describe(texts.tags),
  entities: sent(z.array(entity.extend({ parent_entity })).describe("Nodes that have the firewall"), "live"),
});

/** A node that a firewall protects, in replies of the API. */
export const firewallDevice = z.object({
  id: z.int().describe("Id of the device"),
  created: moment("When the node got the firewall"),
  updated: moment("When the device was last changed"),
  entity: entity.extend({ parent_entity: sent(parent_entity, "live") }).describe("The node"),
});

/** The protocols of the documents, and those that only profile live accepts. */
const protocol = wider(
  z
    .string()
    .refine((text) => isProtocol(text), protocolReason)
    .describe(`${protocols.join(", ")}, ALL or a number from 0 to 255`),
  z.enum(protocols),
);

function isProtocol(text: string): boolean {
  return /^(?:TCP|UDP|ICMP|IPENCAP|ALL)$/.test(text) || (/^\d{1,3}$/.test(text) && Number(text) <= 255);
}

const newRules = z
  .array(z.object({ action: z.enum(policies), protocol, ...kept }))
  .nullish()
  .describe("Rules, the first that applies first; none by default");

/** Limit on the rules of a firewall (decisions/nodes#companions). */
const mostRules = 25;

/** `PUT /networking/firewalls/{firewallId}/rules`: all rules, instead of those before. */
export const newFirewallRules = z
  .object({
    inbound: newRules,
    inbound_policy: z.enum(policies).describe("Policy for incoming packets without a rule"),
    outbound: newRules,
    outbound_policy: z.enum(policies).describe("Policy for outgoing packets without a rule"),
  })
  .refine(({ inbound, outbound }) => (inbound ?? []).length + (outbound ?? []).length <= mostRules, {
    error: `Must have at most ${mostRules} rules`,
  });

const length = "Length must be 3-32 characters";
const label = visibleLabel(
  z
    .string({ error: (issue) => (issue.input == null ? "label is required" : "Must be of type String") })
    .min(3, { error: length, abort: true })
    .max(32, { error: length, abort: true }),
).describe(texts.label);

/** Limit on the tags, and on the nodes, that a request lists. */
const mostListed = 100;

const tags = z
  .array(tagLabel(z.string()))
  .max(mostListed, `Must have at most ${mostListed} entries`)
  .nullish()
  .describe(texts.tags);

/** `POST /networking/firewalls`. */
export const newFirewall = z.object({
  label,
  rules: newFirewallRules,
  devices: z
    .object({
      nodes: z
        .array(z.int())
        .max(mostListed, `Must have at most ${mostListed} entries`)
        .nullish()
        .describe("Ids of nodes that get the firewall"),
    })
    .nullish(),
  tags,
});

/** `PUT /networking/firewalls/{firewallId}`: a partial update; fields that are absent or null stay unchanged. */
export const firewallUpdate = z.object({
  label: label.nullish(),
  status: z.enum(firewallStatuses).nullish().describe(texts.status),
  tags,
});

/** `POST /networking/firewalls/{firewallId}/devices`. */
export const newFirewallDevice = z.object({
  id: z.int().describe("Id of the node that gets the firewall"),
  type: word("entity", z.enum(["node"])),
});

export type Firewall = z.output<typeof firewall>;
export type FirewallRules = z.output<typeof firewallRules>;
export type FirewallDevice = z.output<typeof firewallDevice>;
export type NewFirewall = z.output<typeof newFirewall>;
export type NewFirewallRules = z.output<typeof newFirewallRules>;
export type FirewallUpdate = z.output<typeof firewallUpdate>;
export type NewFirewallDevice = z.output<typeof newFirewallDevice>;

/** Attributes of a firewall that `X-Filter` supports. */
export const firewallFilterable = ["id", "label"] as const;
