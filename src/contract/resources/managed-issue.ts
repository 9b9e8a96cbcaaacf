import * as z from "zod";
import { moment, openEnum, word } from "../meta.ts";

/** A problem of services of one host (decisions/documents#managed-monitoring). */
export const managedIssue = z.object({
  id: z.int().describe("Id of the issue"),
  created: moment("When the problem was detected"),
  services: z.array(z.int()).describe("Ids of the affected services"),
  entity: z
    .object({
      id: word("entityId", z.int().describe("Id of the ticket")),
      type: word("entity", openEnum(["ticket"])),
      label: z.string().describe("Title of the ticket"),
      url: word("path", z.string().describe("Path of the ticket, without the version")),
    })
    .describe("The ticket that the issue opened"),
});

export type ManagedIssue = z.output<typeof managedIssue>;

/** Attributes of an issue that `X-Filter` supports. */
export const managedIssueFilterable = ["created"] as const;

/** The columns that a table of issues begins with. */
export const managedIssueColumns = ["id", "created", "services", "entity.id", "entity.label"] as const;
