import { type Rule, slipsOf } from "../rule.ts";

export const hashOwner: Rule = {
  id: "hash-owner",
  check: slipsOf("hash-owner"),
};
