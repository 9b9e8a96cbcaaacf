import { Fault } from "../../dns/name/fault.ts";
import type { Excuse } from "../../dns/zone/zone.ts";
import { readTargets, targetsKey } from "../kit/scope.ts";
import { readRuleId } from "../kit/setting.ts";
import { entryOf, type YamlMap } from "./tree.ts";

/**
 * Reads an entry of `lenient` that names targets: `{ rule: private-address, targets: public }`.
 * @throws {Fault} `lenient-rule`, `setting-value`, `value-shape`
 */
export function readExcuse(map: YamlMap): Required<Omit<Excuse, "owner">> {
  const [rule, targets] = ["rule", targetsKey].map((key) => entryOf(map, key)?.value);
  const other = map.entries.find(({ key }) => key !== "rule" && key !== targetsKey);
  if (other || rule?.kind !== "text" || !targets) {
    const summary = other
      ? `"${other.key}" is not a key of a lenient entry`
      : "a lenient entry with keys has a rule and targets";
    const fix = "Write `lenient: [private-address]`, or `lenient: [{ rule: private-address, targets: public }]`.";
    throw new Fault("value-shape", summary, fix);
  }
  const items = targets.kind === "list" ? targets.items : [targets];
  if (items.length === 0) readTargets([], targets.at);
  const names = items.flatMap((item) => readTargets([item.kind === "text" && !item.isEmpty ? item.text : ""], item.at));
  return { rule: readRuleId(rule.text), targets: names, at: map.at };
}
