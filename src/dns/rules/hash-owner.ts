import { type Rule, reportSlips } from "../lookup/rule.ts";

export const hashOwner: Rule = {
  id: "hash-owner",
  check: reportSlips("hash-owner"),
};
