import type { Client } from "../client/client.ts";
import { all } from "../client/pages.ts";
import type { Clock } from "../client/rate.ts";
import type { ZoneSettings } from "../dns/zone.ts";
import type { SettingChange, ZonePlan } from "../planner/change.ts";
import { readLiveZone } from "../targets/api/live.ts";
import type { Where } from "./entry.ts";
import { changedMeanwhile, createdMeanwhile, isAmbiguous, isInvalid, lookUntil, messageOf, waits } from "./outcome.ts";
import { settingsState } from "./sameness.ts";
import type { ZoneLog } from "./zone-log.ts";

/** Carries out the writes to a zone itself: that it is there, and its settings. Each is done once, as with records. */
export class ZoneWriter {
  readonly #client: Client;
  readonly #clock: Clock;
  readonly #plan: ZonePlan;
  readonly #log: ZoneLog;
  #domainId: number;

  constructor(client: Client, clock: Clock, plan: ZonePlan, log: ZoneLog) {
    this.#client = client;
    this.#clock = clock;
    this.#plan = plan;
    this.#log = log;
    this.#domainId = plan.domainId ?? 0;
  }

  get domainId(): number {
    return this.#domainId;
  }

  /** Creates the zone, disabled. A name is unique on the service, so to send this again does no harm. */
  async create(): Promise<{ id: number; known: readonly number[] }> {
    const { name, settings } = this.#plan.zone;
    const where: Where = { zone: name, step: "zone", write: 0 };
    const body = { ...sent(settings), domain: name.slice(0, -1), type: settings.type, status: "disabled" as const };
    this.#log.intent(where.step, {});
    for (let attempt = 1; ; attempt++) {
      await this.#log.sent(where);
      try {
        const { id } = await this.#client.createDomain({ body });
        this.#log.acked(where, { id });
        this.#domainId = id;
        return { id, known: [] };
      } catch (error) {
        const isTaken = attempt > 1 && isInvalid(error);
        if (!isAmbiguous(error) && !isTaken) {
          this.#log.refused(where, messageOf(error));
          if (isInvalid(error)) await this.#refuseForeign(body.domain);
          throw error;
        }
        this.#log.ambiguous(where, undefined, error);
        const id = await lookUntil(() => this.#find(body.domain), this.#clock, isTaken ? waits : waits.slice(0, 2));
        this.#log.resolved(where, undefined, { done: id !== undefined, ...(id !== undefined && { id }) });
        if (id === undefined && attempt < 3) continue;
        if (id === undefined) throw error;
        this.#domainId = id;
        return { id, known: [] };
      }
    }
  }

  /** A zone of this name that is as we make them: disabled and empty. */
  async #find(domain: string): Promise<number | undefined> {
    const [found] = await all(this.#client.listDomains, { filter: { domain } });
    if (found === undefined) return undefined;
    const { results } = await this.#client.listRecords({ domainId: found.id });
    if (found.status === "disabled" && results === 0) return found.id;
    throw createdMeanwhile(domain, found.id);
  }

  /**
   * After a refusal: is the zone there because somebody else created it? Then that is the reason. It is not taken over,
   * because its creator may still be filling it, from other files perhaps. A look that fails leaves the refusal as it is.
   */
  async #refuseForeign(domain: string): Promise<void> {
    const found = await all(this.#client.listDomains, { filter: { domain } }).catch(() => []);
    if (found[0]) throw createdMeanwhile(domain, found[0].id);
  }

  /** One PUT; the settings are looked at right before. */
  async change(changes: readonly SettingChange[], step: "settings" | "last-settings"): Promise<void> {
    const where: Where = { zone: this.#plan.zone.name, step, write: 0 };
    this.#log.intent(step, { settings: changes });
    const body = sent(Object.fromEntries(changes.map(({ name, after }) => [name, after])));
    const withoutRecords = { ...this.#client, listRecords: async () => ({ data: [], page: 1, pages: 1, results: 0 }) };
    const look = async () => settingsState(changes, this.#plan, await readLiveZone(withoutRecords, this.#domainId));
    for (let attempt = 0; ; attempt++) {
      const state = await lookUntil(look, this.#clock, attempt > 0 ? waits.slice(attempt) : []);
      if (attempt > 0) this.#log.resolved(where, undefined, { done: state === "done" });
      else if (state === "done") this.#log.acked(where, { already: true });
      if (state === "done") return;
      if (state === "changed") throw changedMeanwhile(["its settings"]);
      await this.#log.sent(where);
      try {
        await this.#client.updateDomain({ domainId: this.#domainId, body });
        this.#log.acked(where, {});
        return;
      } catch (error) {
        const pause = waits[attempt];
        if (!isAmbiguous(error) || pause === undefined) {
          if (!isAmbiguous(error)) this.#log.refused(where, messageOf(error));
          throw error;
        }
        this.#log.ambiguous(where, undefined, error);
        await this.#clock.sleep(attempt === 0 ? 0 : pause);
      }
    }
  }
}

/** Settings as a request carries them: its own copies of the lists. */
function sent({ tags, axfr_ips, master_ips, ...rest }: ZoneSettings) {
  return {
    ...rest,
    ...(tags && { tags: [...tags] }),
    ...(axfr_ips && { axfr_ips: [...axfr_ips] }),
    ...(master_ips && { master_ips: [...master_ips] }),
  };
}
