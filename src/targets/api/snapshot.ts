import pMap from "p-map";
import * as z from "zod";
import type { Client } from "../../client/client.ts";
import { all } from "../../client/pages.ts";
import { domain } from "../../contract/resources/domain.ts";
import { record } from "../../contract/resources/record.ts";
import { ProblemError, problem } from "../../diagnostics/problem.ts";
import type { LiveOptions } from "../read-live.ts";
import type { PlanningClient } from "./live.ts";

/** Minor versions add optional parts; another major version is another format. */
export const snapshotFormat = "zonewright.snapshot/1";

/** The live zones of an account as the API returns them, to plan against without a token. */
export const snapshotSchema = z.object({
  format: z.literal(snapshotFormat),
  time: z.iso.datetime().describe("Time when reading started"),
  target: z.object({
    api: z.string().describe("The base URL of the API"),
    account: z
      .string()
      .nullable()
      .describe("External unique identifier of the account; null if the token may not read it"),
  }),
  domains: z.array(domain.extend({ records: z.array(record) })),
});

export type Snapshot = z.output<typeof snapshotSchema>;

const zonesAtOnce = 4;

/** Reads every domain of the account with its records, with the known fields only. */
export async function takeSnapshot(
  client: PlanningClient,
  head: Pick<Snapshot, "time" | "target">,
  { signal, onRead }: LiveOptions = {},
): Promise<Snapshot> {
  const options = signal ? { signal } : {};
  onRead?.(0, 0);
  const domains = await all(client.listDomains, {}, options);
  let done = 0;
  const whole = await pMap(
    domains,
    async (domain) => {
      const records = await all(client.listRecords, { domainId: domain.id }, options);
      onRead?.(++done, domains.length);
      return { ...domain, records };
    },
    { concurrency: zonesAtOnce },
  );
  return { format: snapshotFormat, ...head, domains: whole };
}

/**
 * Reads a snapshot file.
 * @throws {ProblemError} `snapshot-read` if it is invalid or incomplete.
 */
export function parseSnapshot(file: string, text: string): Snapshot {
  const snapshotError = (why: string) => {
    const summary = `${file} is not a valid snapshot: ${why}`;
    const fix = "Create a new one with `zonewright snapshot --out FILE`.";
    return new ProblemError(problem("snapshot-read", summary, { fix }));
  };
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw snapshotError("it is not valid JSON and may be truncated");
  }
  const parsed = snapshotSchema.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw snapshotError(`${issue?.path.join(".") || "the file"}: ${issue?.message}`);
}

/** A client that answers from a snapshot, in one page. */
export function snapshotClient({ domains }: Snapshot): PlanningClient {
  const page = <T>(data: T[]) => ({ data, page: 1, pages: 1, results: data.length });
  const find = (id: number) => {
    const found = domains.find((domain) => domain.id === id);
    if (!found) throw new Error(`the snapshot has no domain ${id}`);
    return found;
  };
  const client = {
    listDomains: async () => page(domains.map(({ records, ...domain }) => domain)),
    listRecords: async ({ domainId }: { domainId: number }) => page(find(domainId).records),
  };
  return client as unknown as Pick<Client, keyof PlanningClient>;
}

/** The JSON Schema (draft 7, which editors know best) of a snapshot file. */
export function snapshotJsonSchema(): Record<string, unknown> {
  const schema = z.toJSONSchema(snapshotSchema, { target: "draft-7", io: "input" });
  return { $schema: schema.$schema, $id: "urn:zonewright:snapshot", title: "Snapshot", ...schema };
}
