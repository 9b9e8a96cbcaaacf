import type { CompiledZone } from "../../../dns/compiled/compiled-zone.ts";
import { nearestZone } from "../../../dns/lookup/lookup.ts";
import { type Name, type NameKey, nameKey, parent } from "../../../dns/name/name.ts";

/** A zone that is served; `unavailable` is ours without data: a slave without a valid transfer, or an invalid zone. */
export type ServedZone = CompiledZone | "unavailable";

export class ZonesByName {
  readonly #zones = new Map<NameKey, ServedZone>();

  /** `unavailable` are the names of our zones without data. */
  constructor(zones: Iterable<CompiledZone>, unavailable: Iterable<NameKey> = []) {
    for (const name of unavailable) this.#zones.set(name, "unavailable");
    for (const zone of zones) this.#zones.set(zone.apex, zone);
  }

  /** The same zones and another one, unless one of them has its name. */
  with(apex: NameKey, zone: ServedZone): ZonesByName {
    const all = new ZonesByName([]);
    all.#zones.set(apex, zone);
    for (const [name, known] of this.#zones) all.#zones.set(name, known);
    return all;
  }

  /** The same zones with another one, in place of one of its name. */
  withOwn(apex: NameKey, zone: ServedZone): ZonesByName {
    const all = this.with(apex, zone);
    all.#zones.set(apex, zone);
    return all;
  }

  /**
   * The zone that answers for a name: the nearest one at or above it; for the DS records of a zone the one above, if it
   * is served here (RFC 4035 §3.1.4.1).
   */
  find(name: Name, type: string): ServedZone | undefined {
    const key = nameKey(name);
    return nearestZone(type === "DS" ? parent(key) : key, (apex) => this.#zones.get(apex)) ?? this.#zones.get(key);
  }
}
