import { type Rule, slipsOf } from "../rule.ts";

export const textUnquoted: Rule = {
  id: "text-unquoted",
  check: slipsOf("text-unquoted"),
};
