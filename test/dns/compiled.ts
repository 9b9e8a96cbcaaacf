import type { CompiledZone } from "../../src/dns/compiled/compiled-zone.ts";
import { transferMessages } from "../../src/dns/compiled/transfer-messages.ts";
import { type MessageRecord, readMessage } from "../../src/dns/transfer/message.ts";
import { writeMessage } from "../../src/dns/transfer/message-writer.ts";

/** The records of a zone as a transfer sends them: the SOA record first, but not again at the end. */
export function recordsOf(zone: CompiledZone): MessageRecord[] {
  const question = { name: zone.apex, type: "AXFR", class: 1 };
  const request = readMessage(writeMessage({ questions: [question] }));
  const records = [...transferMessages(request, zone)].flatMap((octets) => readMessage(octets).answers);
  return records.slice(0, -1);
}
