import { Fault } from "../../dns/fault.ts";
import { isInternational } from "../../dns/idn.ts";
import { readName } from "../../dns/name.ts";
import type { TokenTable } from "../../dns/rdata/token-table.ts";
import type { ZoneRecord } from "../../dns/zone.ts";
import { type LooseText, lostRestSummary } from "../kit/loose-text.ts";
import { countOf, fill, generatedData, mostGenerated, mostGeneratedOctets, readRange } from "./generate.ts";
import { readHead } from "./head.ts";
import type { Reading } from "./reading.ts";

/**
 * Adds the records of a `$GENERATE`; each stands where its line stands.
 * @throws {Fault}
 */
export function generate(reading: Reading, table: TokenTable): void {
  const range = readRange(table.unquoted("a range"));
  if (reading.generated + countOf(range) > mostGenerated) {
    const summary = `a zone generates more than ${mostGenerated} records`;
    throw new Fault("generate-count", summary, "Write a smaller range.");
  }
  if (table.count - table.next < 3) {
    const fix = "Write $GENERATE 1-10 host-$ A 192.0.2.$.";
    throw new Fault("directive-missing", "$GENERATE needs owner, type and data", fix);
  }
  const start = table.startOf(0);
  const end = table.endOf(table.count - 1);
  const ownerAt = table.next;
  const owner = table.unquoted("an owner name");
  const behindOwner = table.next;
  const { ttl, type } = readHead(table);
  reading.entry = { type: type.type };
  if (type.type === "SOA")
    throw new Fault("generate-type", "$GENERATE makes no SOA record", "Write the SOA record itself.");
  const template = table.raw();
  if (!table.isAtEnd) {
    table.next++;
    throw new Fault("rdata-extra", "$GENERATE takes its data as one part", "Put it into quotes.");
  }
  const { source, surroundings } = reading.open;
  const counting = reading.ttls.of(ttl, undefined);
  reading.generated += countOf(range);
  for (let iterator = range.start; iterator <= range.stop; iterator += range.step) {
    table.next = behindOwner;
    const spelled = fill(owner, iterator);
    // Nibbles of an even width end in a dot where the template has none.
    if (spelled.endsWith(".")) reading.hasAbsoluteOwners = true;
    const name = readName(spelled, surroundings.origin);
    if (iterator === range.start && isInternational(spelled)) reading.converted(ownerAt, name);
    table.next = table.count;
    reading.entry = { owner: name, type: type.type };
    const text = fill(template.replaceAll('\\"', '"'), iterator);
    reading.generatedOctets += text.length;
    if (reading.generatedOctets > mostGeneratedOctets) {
      const summary = `a zone generates more than ${mostGeneratedOctets} octets of data`;
      throw new Fault("generate-count", summary, "Write a smaller range, or less data.");
    }
    const { data, loose } = generatedData(type, text, surroundings.origin);
    if (iterator === range.start) reportLoose(reading, table, { owner: name, type: type.type }, loose);
    reading.records.push({ owner: name, type: type.type, ttl: counting, data, source, start, end });
  }
  const record = reading.records.at(-countOf(range));
  if (record) reading.addEntry({ kind: "generate", record, ownTtl: ttl }, countOf(range));
}

/** Its data is the last part of the line; the fix for it would be for the first record only, so it is put in words. */
function reportLoose(
  reading: Reading,
  table: TokenTable,
  owned: Pick<ZoneRecord, "owner" | "type">,
  loose: LooseText | undefined,
): void {
  const data = table.count - 1;
  const isCut = table.text[table.ends[data] ?? 0] === ";";
  if (!loose && !(isCut && owned.type === "TXT")) return;
  const summary = loose?.summary ?? lostRestSummary;
  const fix = 'Put the text in quotes inside the quotes of the data: "\\"v=spf1 mx -all\\"".';
  reading.slip({ rule: "text-unquoted", summary, fix, first: data, last: data }, owned);
}
