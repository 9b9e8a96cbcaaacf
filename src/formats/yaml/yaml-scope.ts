import { Fault } from "../../dns/fault.ts";
import type { Ignore, Scope } from "../../dns/scope.ts";
import { readIgnore, readManage } from "../scope.ts";
import type { YamlEntry } from "./tree.ts";
import type { YamlFaults } from "./yaml-faults.ts";

/** What a zone says of its scope: `manage` and `ignore`. */
export class YamlScope {
  readonly #says: YamlFaults;
  readonly #ignore: Ignore[] = [];
  #manage: Scope["manage"];

  constructor(says: YamlFaults) {
    this.#says = says;
  }

  manage({ value }: YamlEntry): void {
    this.#says.attempt(value.at, () => {
      this.#manage = readManage(value.kind === "text" ? value.text : "");
    });
  }

  ignore({ value }: YamlEntry): void {
    for (const item of value.kind === "list" ? value.items : [value]) {
      this.#says.attempt(item.at, () => {
        if (item.kind !== "map")
          throw new Fault(
            "setting-value",
            "ignore is a list of patterns",
            "Write ignore: [{ type: TXT, name: www, reason: ours no more }].",
          );
        const texts = item.entries.map(({ key, value }) => [key, value.kind === "text" ? value.text : ""] as const);
        this.#ignore.push(readIgnore(texts, item.at));
      });
    }
  }

  /** The scope, where the zone says one. */
  read(): { scope?: Scope } {
    if (this.#manage === undefined && this.#ignore.length === 0) return {};
    return { scope: { ...(this.#manage && { manage: this.#manage }), ignore: this.#ignore } };
  }
}
