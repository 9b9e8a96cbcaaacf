import { type Rule, reportSlips } from "../lookup/rule.ts";

export const textUnquoted: Rule = {
  id: "text-unquoted",
  check: reportSlips("text-unquoted"),
};
