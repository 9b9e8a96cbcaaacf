import { type Rule, reportSlips } from "../rule.ts";

export const hashOwner: Rule = {
  id: "hash-owner",
  check: reportSlips("hash-owner"),
};
