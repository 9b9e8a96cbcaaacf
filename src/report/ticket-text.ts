import { plain, plainLine } from "../diagnostics/plain.ts";
import type { WholeTicket } from "../server/operator/tickets.ts";

/** A ticket as its operator reads it: what it is, then its texts, each below its author. */
export function ticketText({ ticket, replies, files }: WholeTicket): string {
  const about = ticket.entity_type === null ? "-" : `${ticket.entity_type} ${ticket.entity_label}`;
  const facts: [name: string, value: string][] = [
    ["account", ticket.account],
    ["status", ticket.status],
    ["about", about],
    ["opened", `${ticket.opened} by ${ticket.opened_by}`],
    ...(ticket.closed === null ? [] : [["closed", `${ticket.closed} by ${ticket.updated_by}`] as [string, string]]),
    ...files.map(({ name, octets, created }): [string, string] => ["file", `${name}, ${octets} octets, ${created}`]),
  ];
  const texts = [
    { created: ticket.opened, created_by: ticket.opened_by, description: ticket.description },
    ...replies.map(({ from_operator, created_by, ...reply }) => ({
      ...reply,
      created_by: from_operator === 1 ? "the operator" : created_by,
    })),
  ];
  return [
    plain(`ticket ${ticket.id}: ${ticket.summary}`),
    ...facts.map(([name, value]) => `${name.padEnd(8)} ${plain(value)}`),
    ...texts.flatMap((text) => [
      "",
      plain(`${text.created} ${text.created_by}:`),
      ...text.description.split(/\r?\n/).map((line) => `  ${plainLine(line)}`.trimEnd()),
    ]),
    "",
  ].join("\n");
}
