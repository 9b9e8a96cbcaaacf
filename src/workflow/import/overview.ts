import { createHash } from "node:crypto";
import { advise } from "../../diagnostics/advice.ts";
import { type Problem, problem } from "../../diagnostics/problem.ts";
import { count } from "../../diagnostics/quantities.ts";
import { asName, type Name, type NameKey, nameKey, withLabel, withoutDot } from "../../dns/name/name.ts";
import { addToList } from "../../group-by.ts";
import type { Project } from "../project/project.ts";
import { listZoneFiles } from "../zones/zones.ts";
import type { Ledger } from "./ledger.ts";
import type { ImportResult } from "./zones.ts";

/** The number of equal zones from which on a template is worth the effort. */
const leastEqual = 5;

/** Facts that show only when all imported zones are known. Keeps a digest of each zone, not its records. */
export class ImportOverview {
  readonly #zones = new Set<NameKey>();
  readonly #delegated = new Map<NameKey, Name>();
  readonly #equal = new Map<string, Name[]>();

  add(imported: ImportResult): void {
    if (imported.state === "failed") return;
    const { name, ledger } = imported;
    this.#zones.add(nameKey(name));
    for (const { owner, type } of ledger.entries) {
      if (type !== "NS" || owner === "@") continue;
      const child = asName(owner.endsWith(".") ? owner : withLabel(owner, name));
      this.#delegated.set(nameKey(child), child);
    }
    addToList(this.#equal, digestOf(name, ledger), name);
  }

  /** Notes about equal zones, and about delegated names that neither the import nor the project has. */
  async notes(project: Project): Promise<Problem[]> {
    const unknown = [...this.#delegated].filter(([key]) => !this.#zones.has(key));
    const files = unknown.length > 0 ? await listZoneFiles(project, () => {}) : [];
    const existing = new Set(files.map(({ name }) => nameKey(name)));
    const missing = unknown.filter(([key]) => !existing.has(key)).map(([, name]) => name);
    const delegated =
      missing.length === 0
        ? []
        : [
            problem(
              "import-delegated",
              `the imported zones delegate ${listNames(missing)}, which ${missing.length === 1 ? "has" : "have"} no zone file`,
              { fix: "If their zones move as well, import them by name." },
            ),
          ];
    const equal = [...this.#equal.values()]
      .filter((names) => names.length >= leastEqual)
      .map((names) =>
        problem("import-equal-zones", `${count(names.length, "zone")} have the same records: ${listNames(names)}`, {
          fix: advise`A template describes them once: see ${{ run: "help", args: ["zone-files"] }}, Templates.`,
        }),
      );
    return [...delegated, ...equal];
  }
}

/** Equal for zones with the same records relative to their names, but for the SOA records. */
function digestOf(name: Name, { entries }: Ledger): string {
  const lines = entries
    .filter(({ type }) => type !== "SOA")
    .map(({ owner, type, ttl, rdata }) => `${owner} ${type} ${ttl} ${rdata.replaceAll(name, "@")}`);
  return createHash("sha256").update(lines.sort().join("\n")).digest("base64");
}

function listNames(names: readonly Name[]): string {
  const shown = names.slice(0, 3).map(withoutDot).join(", ");
  return names.length > 3 ? `${shown} and ${names.length - 3} more` : shown;
}
