import type { Client } from "../client/client.ts";
import { type Diagnostic, Refusal } from "../diagnostics/diagnostic.ts";
import { plain } from "../diagnostics/plain.ts";
import { type RecordChange, type SettingChange, type Step, subject, type ZonePlan } from "../planner/change.ts";
import { isInSync, planZone } from "../planner/plan.ts";
import { readLiveZone } from "../provider/live.ts";
import { rdataText, type ZoneSettings } from "../zone/zone.ts";
import type { ApplyEvent } from "./event.ts";
import { writeRecord } from "./write-record.ts";
import { countWrites, settingWrites } from "./writes.ts";

class Stopped extends Error {}

/** The plan of one zone, carried out once. */
export class ZoneRun {
  readonly #plan: ZonePlan;
  readonly #client: Client;
  readonly #tell: (event: ApplyEvent) => void;
  readonly #stop: AbortSignal;
  #domainId: number;
  #written = 0;

  constructor(plan: ZonePlan, client: Client, tell: (event: ApplyEvent) => void, stop: AbortSignal) {
    this.#plan = plan;
    this.#client = client;
    this.#tell = tell;
    this.#stop = stop;
    this.#domainId = plan.domainId ?? 0;
  }

  /** Never rejects: what goes wrong is an event. */
  async run(): Promise<void> {
    if (this.#stop.aborted) return;
    const zone = this.#plan.zone.name;
    const writes = countWrites(this.#plan);
    this.#tell({ kind: "zone-begun", zone, writes });
    try {
      await this.#write();
      const left = planZone(this.#plan.zone, await readLiveZone(this.#client, this.#domainId));
      this.#tell({ kind: "zone-done", zone, left: isInSync(left) ? undefined : left });
    } catch (error) {
      const stand = { zone, written: this.#written, writes };
      this.#tell(
        error instanceof Stopped ? { kind: "zone-stopped", ...stand } : { kind: "zone-failed", ...stand, error },
      );
    }
  }

  async #write(): Promise<void> {
    const { first, last } = settingWrites(this.#plan);
    if (this.#plan.domainId === undefined) await this.#createZone();
    await this.#writeSettings(first);
    for (const step of this.#plan.steps) await this.#step(step);
    await this.#writeSettings(last);
  }

  async #createZone(): Promise<void> {
    const { name, settings } = this.#plan.zone;
    const body = { ...sent(settings), domain: name.slice(0, -1), type: settings.type, status: "disabled" as const };
    const { id } = await this.#client.createDomain({ body });
    this.#domainId = id;
    this.#written++;
    this.#tell({ kind: "zone-created", zone: name, domainId: id });
  }

  async #writeSettings(changes: readonly SettingChange[]): Promise<void> {
    if (changes.length === 0) return;
    this.#stopIfAsked();
    const body = sent(Object.fromEntries(changes.map(({ name, after }) => [name, after])));
    await this.#client.updateDomain({ domainId: this.#domainId, body });
    this.#written++;
    this.#tell({ kind: "settings-written", zone: this.#plan.zone.name, names: Object.keys(body) });
  }

  /** The writes of a step belong together: asked to stop, they are finished; when one fails, the others are taken back. */
  async #step({ writes }: Step): Promise<void> {
    this.#stopIfAsked();
    const zone = this.#plan.zone.name;
    const done: Done[] = [];
    for (const change of writes) {
      try {
        done.unshift({ change, inverse: await writeRecord(this.#client, this.#domainId, zone, change) });
      } catch (error) {
        throw await this.#takeBack(done, error);
      }
      this.#written++;
      this.#tell({ kind: "record-written", zone, change });
    }
  }

  /**
   * Undoes the writes, the last one first, and gives the error to report. It is safe too when nobody knows whether the
   * write that failed was carried out: if so, the service refuses beside it what would be put back.
   */
  async #takeBack(done: readonly Done[], error: unknown): Promise<unknown> {
    const zone = this.#plan.zone.name;
    const failures: Diagnostic[] = [];
    for (const { change, inverse } of done) {
      if (inverse === undefined) continue;
      try {
        await writeRecord(this.#client, this.#domainId, zone, inverse);
        this.#written--;
        this.#tell({ kind: "record-undone", zone, change });
      } catch (failure) {
        failures.push(notTakenBack(inverse, failure));
      }
    }
    if (failures.length === 0) return error;
    return Object.assign(new Refusal([...diagnosticsOf(error), ...failures]), { cause: error });
  }

  #stopIfAsked(): void {
    if (this.#stop.aborted) throw new Stopped();
  }
}

interface Done {
  readonly change: RecordChange;
  readonly inverse: RecordChange | undefined;
}

function notTakenBack(inverse: RecordChange, error: unknown): Diagnostic {
  const record = subject(inverse);
  const what = plain(`${record.owner} ${record.type} ${rdataText(record)}`);
  const how = inverse.kind === "delete" ? "removed again" : "put back";
  const why = diagnosticsOf(error).map(({ summary }) => summary);
  return {
    severity: "error",
    rule: "not-put-back",
    summary: `${what} could not be ${how}: ${why.join("; ")}`,
    fix: "Run apply again as soon as it can be: until then the name may have no answer.",
  };
}

function diagnosticsOf(error: unknown): readonly Diagnostic[] {
  if (error instanceof Refusal) return error.diagnostics;
  return [
    { severity: "error", rule: "unexpected", summary: plain(error instanceof Error ? error.message : String(error)) },
  ];
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
