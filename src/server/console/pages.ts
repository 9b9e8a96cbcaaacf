import { html } from "hono/html";
import { type Filter, parseFilter } from "../../contract/filter.ts";
import { specVersion } from "../../contract/openapi.ts";
import { type Domain, domainFilterable } from "../../contract/resources/domain.ts";
import type { ApiEvent } from "../../contract/resources/event.ts";
import type { OpenRecord } from "../../contract/resources/open-record.ts";
import type { ApiRecord } from "../../contract/resources/record.ts";
import type { Ticket } from "../../contract/resources/ticket.ts";
import { spell } from "../../contract/words.ts";
import { getAccount } from "../areas/account/account-handlers.ts";
import { getDomain, getZoneFile, listDomains } from "../areas/domains/domains-handlers.ts";
import { listRecords } from "../areas/domains/records-handlers.ts";
import { listEvents } from "../areas/events/handlers.ts";
import { getTicket, listTicketReplies, listTickets } from "../areas/support/handlers/tickets-handlers.ts";
import { listTokens } from "../areas/users/tokens-handlers.ts";
import { zoneSettings } from "../areas/zones/zone-version.ts";
import type { Context } from "../entities/context.ts";
import { operatorName } from "../entities/operator-rows.ts";
import { timestamp } from "../kit/timestamp.ts";
import { listRows } from "../store/rows.ts";
import type { FileRow } from "../store/tables.ts";
import { type EscapedHtml, userLines, userText } from "../web/document.ts";
import { type ConsolePage, consoleTable, joinTexts, listPage, momentHtml, pager, properties } from "./layout.ts";

/** The id in the path of a page, the page of its list, and the text that is searched for. */
export interface PageRequest {
  readonly id: number;
  readonly page: number;
  readonly search: string;
}

/** Items on a page of the console. */
const page_size = 50;

const everything = parseFilter("", []);

/** Each page shows what the API replies to the same user; that of a ticket also has the size and date of its files. */
export async function overview(_: PageRequest, context: Context): Promise<ConsolePage> {
  const { company, active_since, euuid } = await getAccount({}, context);
  const domains = await listDomains({ query: { page: 1, page_size: 25 }, filter: everything }, context);
  const body = html`${properties([
    ["Account", company],
    ["Active since", momentHtml(active_since)],
    ["EUUID", euuid],
    ["Signed in as", context.caller.username],
    ["Domains", html`<a href="/domains">${domains.results}</a>`],
  ])}
<h2>Latest events</h2>
${eventTable((await readEvents(1, context)).data.slice(0, 10), context)}`;
  return { title: "Overview", body };
}

export async function domainList({ page, search }: PageRequest, context: Context): Promise<ConsolePage> {
  const filter: Filter = search === "" ? {} : { domain: { "+contains": search } };
  const found = await listDomains(
    { query: { page, page_size }, filter: parseFilter(JSON.stringify(filter), domainFilterable) },
    context,
  );
  const rows = found.data.map(({ id, domain, type, status, tags, updated }) => [
    html`<a href="/domains/${id}">${domain}</a>`,
    type,
    status,
    joinTexts(tags),
    momentHtml(updated),
  ]);
  const shown = consoleTable("Domains", ["Name", "Type", "Status", "Tags", "Updated"], rows);
  const body = html`<form role="search"><label>Name contains <input name="search" value="${search}"></label>
<button>Search</button></form>
${
  search === ""
    ? listPage("/domains", found, shown)
    : listPage(
        `/domains?search=${encodeURIComponent(search)}`,
        found,
        shown,
        html`No name contains "${userText(search)}".`,
      )
}`;
  return { title: "Domains", body };
}

export async function domainPage({ id: domainId, page }: PageRequest, context: Context): Promise<ConsolePage> {
  const domain = await getDomain({ domainId }, context);
  const records = await listRecords({ domainId, query: { page, page_size }, filter: everything }, context);
  const rows = records.data.map((record) => [
    record.name === "" ? "@" : record.name,
    record.type,
    dataOf(record),
    record.ttl_sec === 0 ? "default" : String(record.ttl_sec),
  ]);
  const body = html`${properties([
    ["Type", domain.type],
    ["Status", domain.status],
    ["Contact", domain.soa_email],
    ...(domain.type === "master" ? timesOf(domain) : []),
    ...(domain.description === "" ? [] : [["Description", domain.description] as const]),
    ...(domain.tags.length === 0 ? [] : [["Tags", joinTexts(domain.tags)] as const]),
    ...(domain.master_ips.length === 0 ? [] : [["Masters", domain.master_ips.join(", ")] as const]),
    ...(domain.axfr_ips.length === 0 ? [] : [["Transfers to", domain.axfr_ips.join(", ")] as const]),
    ["Created", momentHtml(domain.created)],
    ["Updated", momentHtml(domain.updated)],
  ])}
<p><a href="/domains/${domainId}/zone-file">Rendered zone</a></p>
${listPage(`/domains/${domainId}`, records, consoleTable("Records", ["Name", "Type", "Data", "TTL"], rows))}`;
  return { title: domain.domain, body };
}

/** The times in effect in a zone, with the service's defaults. */
function timesOf(domain: Domain): [name: string, value: string][] {
  const { ttl, refresh, retry, expire } = zoneSettings(domain, []);
  return [
    ["Default TTL", `${ttl} s`],
    ["SOA refresh", `${refresh} s`],
    ["SOA retry", `${retry} s`],
    ["SOA expire", `${expire} s`],
  ];
}

/** The data of a record in the order of zone files, with its target as the API has it. */
function dataOf(record: ApiRecord | OpenRecord): string {
  if ("rdata" in record) return record.rdata;
  const { type, target, priority, weight, port, tag } = record;
  if (type === "MX") return `${priority} ${target}`;
  if (type === "SRV") return `${priority} ${weight} ${port} ${target}`;
  return type === "CAA" ? `0 ${tag} "${target}"` : target;
}

export async function zonePage({ id: domainId }: PageRequest, context: Context): Promise<ConsolePage> {
  const { domain } = await getDomain({ domainId }, context);
  const { zone_file } = await getZoneFile({ domainId }, context);
  const lines = zone_file.slice(0, mostLines);
  const hidden = zone_file.length - lines.length;
  const body = html`<p><a href="/domains/${domainId}">${domain}</a></p>
${
  zone_file.length === 0
    ? html`<p>The zone is not rendered: the domain is new, disabled or not yet transferred.</p>`
    : html`<pre tabindex="0" role="region" aria-label="Zone file">${lines.join("\n")}</pre>`
}
${hidden > 0 ? html`<p>${hidden} more lines are not shown.</p>` : ""}`;
  return { title: `Zone ${domain}`, body };
}

/** Lines of a zone that are shown. */
const mostLines = 5000;

export async function eventList({ page }: PageRequest, context: Context): Promise<ConsolePage> {
  const found = await readEvents(page, context);
  return { title: "Events", body: listPage("/events", found, eventTable(found.data, context)) };
}

function readEvents(page: number, context: Context) {
  return listEvents({ query: { page, page_size }, filter: everything }, context);
}

function eventTable(events: readonly ApiEvent[], { profile }: Context): EscapedHtml {
  const rows = events.map(({ created, username, action, entity, message, status, percent_complete }) => [
    momentHtml(created),
    // Events without a user are the operator's (decisions/account#events).
    username || operatorName,
    spell("action", action, profile),
    entity?.label ?? "",
    message ?? "",
    status === "notification" || percent_complete === null ? "" : `${status}, ${percent_complete} %`,
  ]);
  return consoleTable(
    "Events of the last 90 days, newest first",
    ["Time", "User", "Action", "Entity", "Details", "Job"],
    rows,
  );
}

/** The caller's own tokens; the database has no value of any. */
export async function tokenList({ page }: PageRequest, context: Context): Promise<ConsolePage> {
  const found = await listTokens({ query: { page, page_size }, filter: everything }, context);
  const rows = found.data.map(({ id, label, scopes, created, expiry }) => [
    String(id),
    label,
    scopes === "*" ? "everything" : spell("scopes", scopes, context.profile),
    momentHtml(created),
    expiry === null ? "never" : momentHtml(expiry),
  ]);
  const caption = `Valid tokens of ${context.caller.username}`;
  const body = html`<p>Values of tokens are never shown, because they are not stored.</p>
${listPage("/tokens", found, consoleTable(caption, ["Id", "Label", "Scopes", "Created", "Expires"], rows))}`;
  return { title: "Tokens", body };
}

/** The open tickets first, as the API lists them. */
export async function ticketList({ page }: PageRequest, context: Context): Promise<ConsolePage> {
  const found = await listTickets({ query: { page, page_size }, filter: everything }, context);
  const rows = found.data.map((ticket) => [
    String(ticket.id),
    html`<a href="/tickets/${ticket.id}">${userText(ticket.summary)}</a>`,
    ticket.status,
    subjectOf(ticket),
    momentHtml(ticket.updated),
    ticket.updated_by ?? ticket.opened_by,
  ]);
  const shown = consoleTable("Open tickets first", ["Id", "Summary", "Status", "About", "Updated", "By"], rows);
  return { title: "Tickets", body: listPage("/tickets", found, shown) };
}

export async function ticketPage({ id: ticketId, page }: PageRequest, context: Context): Promise<ConsolePage> {
  const ticket = await getTicket({ ticketId }, context);
  const replies = await listTicketReplies({ ticketId, query: { page, page_size }, filter: everything }, context);
  const attached = await context.store.read((db) =>
    listRows(db, "files", { entity_type: "ticket", entity_id: ticketId }),
  );
  const body = html`${properties([
    ["Status", ticket.status],
    ...(ticket.entity === null ? [] : [["About", subjectOf(ticket)] as const]),
    ["Opened", html`${momentHtml(ticket.opened)} by ${ticket.opened_by}`],
    ...(ticket.updated_by === null
      ? []
      : [["Updated", html`${momentHtml(ticket.updated)} by ${ticket.updated_by}`] as const]),
    ...(ticket.closed === null ? [] : [["Closed", momentHtml(ticket.closed)] as const]),
  ])}
<p class="text">${userLines(ticket.description)}</p>
${attached.length === 0 ? "" : fileTable(attached)}
${replies.results === 0 ? "" : html`<h2>Replies</h2>`}
${replies.data.map(
  ({ created, created_by, from_operator, description }) => html`<article>
<h3>${from_operator ? "The operator" : created_by}, ${momentHtml(created)}</h3>
<p class="text">${userLines(description)}</p>
</article>`,
)}
${pager(`/tickets/${ticketId}`, replies)}`;
  return { title: ticket.summary, body };
}

function fileTable(attached: readonly FileRow[]): EscapedHtml {
  const rows = attached.map(({ name, octets, created }) => [name, `${octets} octets`, momentHtml(created)]);
  return consoleTable("Files", ["Name", "Size", "Added"], rows);
}

/** The label of what a ticket is about, with a link to its page. */
function subjectOf({ entity }: Ticket): string | EscapedHtml {
  if (entity === null) return "";
  return entity.type === "domain" ? html`<a href="/domains/${entity.id}">${userText(entity.label)}</a>` : entity.label;
}

export async function health(_: PageRequest, context: Context): Promise<ConsolePage> {
  const { nameservers, profile, renderDelay, remote, store, now } = context;
  await store.read((db) => db.selectFrom("accounts").select("id").limit(1).execute());
  const body = properties([
    ["Database", "reachable"],
    ["Time", momentHtml(timestamp(now))],
    ["API level", specVersion],
    ["Profile", profile],
    ["Name servers", nameservers.join(", ")],
    ["Render delay", `${renderDelay} s`],
    ["Imports", remote === undefined ? "not configured" : "allowed"],
  ]);
  return { title: "Health", body };
}
