import { existsSync, readdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { isNightly } from "./properties.ts";

/** Zones of one organisation, as zone files and as its own octoDNS YAML (test/zones-sample/README.md). */
export interface RealZones {
  readonly name: string;
  /** The folder of the zone files, and their names: `<zone>.zone`. */
  readonly bind: string;
  readonly bindFiles: readonly string[];
  /** The folder of the octoDNS files, and their names: `<zone>.yaml`. */
  readonly octodns: string;
  readonly octodnsFiles: readonly string[];
  /** The number of zones. */
  readonly count: number;
  /** Whether they do not lie beside this checkout; then no file is named. */
  readonly isMissing: boolean;
}

function realZonesIn(folder: string, name: string, count: number): RealZones {
  const isMissing = !existsSync(folder);
  const [bind, octodns] = [join(folder, "bind"), join(folder, "octodns")];
  const files = (of: string, ending: string) =>
    isMissing ? [] : readdirSync(of).filter((file) => file.endsWith(ending));
  return {
    name,
    bind,
    bindFiles: files(bind, ".zone"),
    octodns,
    octodnsFiles: files(octodns, ".yaml"),
    count,
    isMissing,
  };
}

export const sampleOfRealZones = realZonesIn(join(import.meta.dirname, "zones-sample"), "a sample of real zones", 21);
export const allRealZones = realZonesIn(
  resolve(import.meta.dirname, "../../shared/data/real"),
  "all 405 real zones",
  405,
);

/** All of them where they lie beside the checkout, else the sample. */
export const mostRealZones = allRealZones.isMissing ? sampleOfRealZones : allRealZones;

/** The zones that the tests read: in the nightly run most, else the sample. */
export const realZones = isNightly ? mostRealZones : sampleOfRealZones;
