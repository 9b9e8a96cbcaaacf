import { readConfig as readConfigWith } from "../../src/config/config.ts";
import type { Name } from "../../src/dns/name/name.ts";
import type { Zone } from "../../src/dns/zone/zone.ts";
import { readBindFile as readBindFileWith, readBind as readBindWith } from "../../src/formats/bind/read.ts";
import { rewriteBind as rewriteBindWith } from "../../src/formats/bind/rewrite.ts";
import { writeBind as writeBindWith } from "../../src/formats/bind/write.ts";
import { writeDnsZonefile as writeDnsZonefileWith } from "../../src/formats/dns-zonefile/write.ts";
import { reconcileSoa as reconcileSoaWith } from "../../src/formats/edit/reconcile-soa.ts";
import { readZoneRef as readZoneFileWith, type ZoneFileRef } from "../../src/formats/files.ts";
import { formats as allFormats } from "../../src/formats/formats.ts";
import { formatCanonical as formatCanonicalWith, formatFile as formatFileWith } from "../../src/formats/formatting.ts";
import type { Report, WriteOptions, ZoneFileBytes } from "../../src/formats/kit/source.ts";
import { readOctodns as readOctodnsWith } from "../../src/formats/octodns/read.ts";
import { writeOctodns as writeOctodnsWith } from "../../src/formats/octodns/write.ts";
import { folderFormats as allFolderFormats, type FormatName } from "../../src/formats/readers.ts";
import { recordsText as recordsTextWith } from "../../src/formats/records-text.ts";
import { readYamlFile as readYamlFileWith, readYaml as readYamlWith } from "../../src/formats/yaml/read.ts";
import { rewriteYaml as rewriteYamlWith } from "../../src/formats/yaml/rewrite.ts";
import type { TreeOptions } from "../../src/formats/yaml/tree.ts";
import { writeYaml as writeYamlWith } from "../../src/formats/yaml/write.ts";
import { apiSettings } from "../../src/targets/api/settings.ts";

/** Readers and writers of zone files whose settings are those of the API. */

const settings = apiSettings;

/** A file to read, without settings of its own. */
export type ApiFile = Omit<ZoneFileBytes, "settings"> & Partial<Pick<ZoneFileBytes, "settings">>;
type Options = Partial<WriteOptions>;

const filled = (file: ApiFile): ZoneFileBytes => ({ settings, ...file });

export const readBind = (file: ApiFile) => readBindWith(filled(file));
export const readBindFile = (file: ApiFile) => readBindFileWith(filled(file));
export const writeBind = (zone: Zone, options: Options = {}) => writeBindWith(zone, { settings, ...options });
export const rewriteBind = (zone: Zone, previous: ApiFile, report?: Report) =>
  rewriteBindWith(zone, filled(previous), report);
export const readYaml = (file: ApiFile) => readYamlWith(filled(file));
export const readYamlFile = (file: ApiFile, options?: TreeOptions) => readYamlFileWith(filled(file), options);
export const writeYaml = (zone: Zone, options: Options = {}) => writeYamlWith(zone, { settings, ...options });
export const rewriteYaml = (zone: Zone, previous: ApiFile, report?: Report) =>
  rewriteYamlWith(zone, filled(previous), report);
export const readOctodns = (file: ApiFile) => readOctodnsWith(filled(file));

export const writeOctodns = (zone: Zone) => writeOctodnsWith(zone, { settings });
export const writeDnsZonefile = (zone: Zone, options: Options = {}) =>
  writeDnsZonefileWith(zone, { settings, ...options });

export const formats = {
  bind: { ...allFormats.bind, read: readBind, write: writeBind, rewrite: rewriteBind },
  yaml: { ...allFormats.yaml, read: readYaml, write: writeYaml, rewrite: rewriteYaml },
};
export const folderFormats = { octodns: { ...allFolderFormats.octodns, read: readOctodns } };

export const formatCanonical = (file: ApiFile, from: FormatName, to: FormatName, options: Options) =>
  formatCanonicalWith(filled(file), from, to, { settings, ...options });
export const formatFile = (file: ApiFile, form: FormatName) => formatFileWith(filled(file), form).bytes;
export const readZoneFile = (ref: ZoneFileRef, origin?: Name) => readZoneFileWith(ref, settings, origin);
export const reconcileSoa = (before: Zone, after: Zone, report?: Report) =>
  reconcileSoaWith(before, after, settings, report);
export const recordsText = (zones: Iterable<Zone>) => recordsTextWith(zones, settings);
export const readConfig = (file: string, text: string | Uint8Array) => readConfigWith(file, text, settings);
