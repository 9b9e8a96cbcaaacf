import * as z from "zod";
import { annotate, moment, openEnum } from "../meta.ts";
import { entity } from "./event.ts";
import { visibleLabel } from "./label.ts";

/** Endings of the names of attached files, in any letter case (decisions/documents#support-tickets). */
export const attachmentEndings = [
  ".gif",
  ".jpg",
  ".jpeg",
  ".pjpg",
  ".pjpeg",
  ".tif",
  ".tiff",
  ".png",
  ".pdf",
  ".txt",
] as const;

const gravatar_id = annotate(z.string().describe("MD5 of the author's e-mail address in lower case"), {
  pattern: "^[0-9a-f]{32}$",
});

/** A ticket is new until the operator replies first. */
const ticketStatuses = ["new", "open", "closed"] as const;

/** A support ticket (decisions/account#tickets). */
export const ticket = z.object({
  id: z.int().describe("Id of the ticket"),
  attachments: z.array(z.string()).describe("Names of the attached files, the oldest first"),
  closed: moment("When the ticket was closed; null until then").nullable(),
  closable: z
    .boolean()
    .describe("Whether users can close it: not once it is closed, and not if the operator opened it"),
  description: annotate(z.string().describe("The full text"), { minLength: 1, maxLength: 65000 }),
  entity: entity.nullable().describe("Subject of the ticket"),
  gravatar_id,
  opened: moment("When the ticket was opened"),
  opened_by: z.string().describe("User who opened it, or operator"),
  status: openEnum(ticketStatuses),
  summary: annotate(z.string().describe("The title"), { minLength: 1, maxLength: 64 }),
  updated: moment("When the ticket was opened, or last got a reply or a file, or was closed"),
  updated_by: z.string().nullable().describe("User of the last reply, file or closing; null if there was none"),
});

/** A reply to a ticket (decisions/account#tickets). */
export const ticketReply = z.object({
  id: z.int().describe("Id of the reply"),
  created: moment("When it was written"),
  created_by: z.string().describe("User who wrote it, or operator"),
  description: annotate(z.string().describe("The text"), { minLength: 1, maxLength: 65535 }),
  from_operator: z.boolean().describe("Whether the operator wrote it"),
  gravatar_id,
});

function requiredText(field: string, most: number) {
  const length = `Length must be 1-${most} characters`;
  return z
    .string({ error: ({ input }) => (input == null ? `${field} is required` : "Must be of type String") })
    .min(1, { error: length, abort: true })
    .max(most, length);
}

/** The attributes of a new ticket that name its subject by an id. */
export const idAttributes = [
  "domain_id",
  "node_id",
  "k8scluster_id",
  "metricsclient_id",
  "balancer_id",
  "volume_id",
] as const;

/** Limit on the characters of a label or an id that a ticket names. */
const mostNamed = 64;

const named = (field: string) => {
  const reason = `${field} is not valid`;
  return z.string().min(1, reason).max(mostNamed, reason).nullish();
};

const id = (what: string) => z.int().nullish().describe(`Id of the ${what} that the ticket is about`);

/** `POST /support/tickets`. */
export const newTicket = z
  .object({
    summary: visibleLabel(requiredText("summary", 64)).describe("The title"),
    description: requiredText("description", 65000).describe("The full text"),
    domain_id: id("domain"),
    node_id: id("node"),
    k8scluster_id: id("Kubernetes cluster"),
    metricsclient_id: id("metrics client"),
    balancer_id: id("load balancer"),
    volume_id: id("volume"),
    managed_issue: z.boolean().nullish().describe("Whether the ticket is about a managed service"),
    vlan: named("vlan").describe("Label of the VLAN that the ticket is about"),
    region: named("region").describe("Id of the VLAN's region; required with vlan"),
  })
  .superRefine((ticket, { addIssue }) => {
    const subjects = [...idAttributes, "vlan" as const].filter((attribute) => ticket[attribute] != null);
    if (subjects.length + (ticket.managed_issue ? 1 : 0) > 1)
      addIssue({ code: "custom", message: "Only one of the ID attributes can be set" });
    if (ticket.vlan != null && ticket.region == null)
      addIssue({ code: "custom", message: "region is required", path: ["region"] });
    if (ticket.vlan == null && ticket.region != null)
      addIssue({ code: "custom", message: "region is not valid", path: ["region"] });
  });

/** `POST /support/tickets/{ticketId}/replies`. */
export const newTicketReply = z.object({ description: requiredText("description", 65535).describe("The text") });

/** `POST /support/tickets/{ticketId}/attachments`. */
export const newAttachment = z.object({
  file: z.file().describe(`A file of up to 5 MiB whose name ends in ${attachmentEndings.join(", ")}`),
});

export type NewTicket = z.input<typeof newTicket>;
export type Ticket = z.output<typeof ticket>;
export type TicketReply = z.output<typeof ticketReply>;
export type NewTicketReply = z.input<typeof newTicketReply>;

/** Attributes of a ticket that `X-Filter` supports; clients filter by status. */
export const ticketFilterable = ["closed", "opened", "status", "updated"] as const;

/** Attributes of a reply that `X-Filter` supports. */
export const ticketReplyFilterable = ["created"] as const;

/** The columns that a table of tickets begins with. */
export const ticketColumns = ["id", "status", "summary", "updated", "opened_by"] as const;
