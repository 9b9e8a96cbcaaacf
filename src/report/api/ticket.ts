import { escapeControl, escapeLine } from "../../diagnostics/escape.ts";
import type { WholeTicket } from "../../server/areas/support/handlers/tickets-operator.ts";
import { operatorId } from "../../server/entities/operator-rows.ts";
import { fold } from "../text/columns.ts";

/**
 * A ticket as text for the operator: its properties, then the description and the replies, each below its author. Texts
 * are indented and folded at `width` columns, so that none can imitate the line of an author.
 */
export function ticketText({ ticket, replies, files }: WholeTicket, width = Number.POSITIVE_INFINITY): string {
  const opener = ticket.user_id === operatorId ? "the operator" : ticket.opened_by;
  const facts: [name: string, value: string][] = [
    ["account", ticket.account],
    ["status", ticket.status],
    ["about", subjectOf(ticket)],
    ["opened", `${ticket.opened} by ${opener}`],
    ...(ticket.closed === null ? [] : [["closed", `${ticket.closed} by ${ticket.updated_by}`] as [string, string]]),
    ...files.map(({ name, octets, created }): [string, string] => ["file", `${name}, ${octets} octets, ${created}`]),
  ];
  const texts = [
    { created: ticket.opened, created_by: opener, description: ticket.description },
    ...replies.map(({ from_operator, created_by, ...reply }) => ({
      ...reply,
      created_by: from_operator === 1 ? "the operator" : created_by,
    })),
  ];
  const linesOf = (start: string, text: string) =>
    fold(escapeControl(text), Math.max(1, width - start.length)).map((line, index) =>
      `${index === 0 ? start : " ".repeat(start.length)}${escapeLine(line)}`.trimEnd(),
    );
  return [
    ...linesOf(`ticket ${ticket.id}: `, ticket.summary),
    ...facts.flatMap(([name, value]) => linesOf(`${name.padEnd(8)} `, value)),
    ...texts.flatMap((text) => [
      "",
      escapeControl(`${text.created} ${text.created_by}:`),
      ...text.description.split(/\r?\n/).flatMap((line) => linesOf("  ", line)),
    ]),
    "",
  ].join("\n");
}

/** The subject of a ticket; a VLAN is known by its region too, the end of its path. */
function subjectOf({ entity_type: type, entity_label: label, entity_url: url }: WholeTicket["ticket"]): string {
  if (type === null) return "-";
  return type === "vlan" ? `vlan ${label} in ${url?.split("/").at(-1)}` : `${type} ${label}`;
}
