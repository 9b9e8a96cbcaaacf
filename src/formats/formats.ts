import { rewriteBind } from "./bind/rewrite.ts";
import { writeBind } from "./bind/write.ts";
import { writeDnsZonefile } from "./dns-zonefile/write.ts";
import type { Exporter } from "./edit/written-zone.ts";
import { bindZones } from "./foreign/bind-zones.ts";
import { dnsZonefile, readDnsZonefile } from "./foreign/dns-zonefile.ts";
import { dnscontrol } from "./foreign/dnscontrol.ts";
import { dnscontrolJs } from "./foreign/dnscontrol-js.ts";
import { dnscontrolTsv } from "./foreign/dnscontrol-tsv.ts";
import type { ForeignFormat } from "./foreign/foreign-format.ts";
import { terraform } from "./foreign/terraform.ts";
import type { Source } from "./kit/source.ts";
import { readOctodns } from "./octodns/read.ts";
import { writeOctodns } from "./octodns/write.ts";
import { type FormatName, readers } from "./readers.ts";
import { rewriteYaml } from "./yaml/rewrite.ts";
import { writeYaml } from "./yaml/write.ts";

/** Every format of zone files, selected by the extension. */
export const formats = {
  yaml: { ...readers.yaml, write: writeYaml, rewrite: rewriteYaml },
  bind: { ...readers.bind, write: writeBind, rewrite: rewriteBind },
} as const satisfies Record<FormatName, Source>;

/** Files of other tools, which `import file` reads. The first that recognises a file reads it. */
export const foreignFormats: readonly ForeignFormat[] = [
  dnscontrol,
  terraform,
  dnsZonefile,
  dnscontrolTsv,
  dnscontrolJs,
  bindZones,
];

/** Forms of other programs, which `export` writes. */
export const exportFormats = {
  octodns: { name: "octodns", ending: ".yaml", write: writeOctodns, read: readOctodns },
  "dns-zonefile": { name: "dns-zonefile", ending: ".json", write: writeDnsZonefile, read: readDnsZonefile },
} as const satisfies Record<string, Exporter>;

/** The format of a file by its extension. */
export function formatOf(file: string): Source | undefined {
  return Object.values(formats).find(({ endings }: Source) => endings.some((ending) => file.endsWith(ending)));
}
