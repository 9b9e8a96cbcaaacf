import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import { createToken } from "../../src/server/operator/tokens.ts";
import { addUser, setGrant } from "../../src/server/operator/users.ts";
import { createServer } from "../../src/server/server.ts";
import type { Store } from "../../src/server/store/store.ts";
import {
  type ApiDocument,
  documentOf,
  type FuzzRequest,
  type Operation,
  type Profile,
  type Sender,
  senders,
} from "./requests.ts";

/** Most milliseconds for one request: a hang, on any machine. */
const patience = 5000;

const now = new Date("2026-03-04T12:00:00Z");

/** An operation, with the schemas of its replies compiled. */
interface Contract {
  readonly operation: Operation;
  readonly success: ValidateFunction | undefined;
  /** The kind of object that it replies with or lists, such as `domain`; empty for none. */
  readonly kind: string;
}

/** The OpenAPI document as a judge of replies. */
export class ReplyJudge {
  readonly profile: Profile;
  readonly document: ApiDocument;
  readonly isError: ValidateFunction;
  readonly #contracts = new Map<string, Contract>();

  constructor(profile: Profile) {
    this.profile = profile;
    this.document = documentOf(profile);
    const { components, paths } = this.document;
    const ajv = new Ajv2020({ strict: false, validateFormats: false });
    const compile = (schema: object) => ajv.compile({ ...schema, components });
    this.isError = compile({ $ref: "#/components/schemas/Errors" });
    for (const operation of Object.values(paths).flatMap(Object.values<Operation>)) {
      const schema = operation.responses[200]?.content?.["application/json"]?.schema;
      const kind = (schema?.$ref?.split("/").at(-1) ?? "").replace(/Page$/, "").toLowerCase();
      this.#contracts.set(operation.operationId, { operation, success: schema && compile(schema), kind });
    }
  }

  contractOf(operation: string): Contract {
    const contract = this.#contracts.get(operation);
    if (contract === undefined) throw new Error(`no operation ${operation}`);
    return contract;
  }
}

/**
 * Sends the requests one after another to a server with this store, which has two accounts with an object of each kind.
 * Each must be answered in time as the OpenAPI document says: 200 with its reply, or an error below 500 with entries,
 * and no unexpected error. Nothing of one account may be in a reply to the other: no id and no word. Returns the number
 * of 200s.
 */
export async function judge(store: Store, rules: ReplyJudge, sequence: readonly FuzzRequest[]): Promise<number> {
  const tokens = await prepareSenders(store);
  let unforeseen: unknown;
  const onError = (error: unknown) => {
    unforeseen = error;
  };
  const server = createServer({ store, clock: () => now, onError, profile: rules.profile });
  /** The account that each object belongs to, by kind and id. */
  const owners = new Map<string, string>();
  const textIds: string[] = [];
  let successes = 0;

  const send = async ({ operation, sender, method, path, headers, body, file }: FuzzRequest) => {
    const own = senders[sender];
    const fill = (text: string) =>
      text
        .replaceAll(/@id(\d)/g, (_, index: string) => textIds[Number(index)] ?? "none")
        .replaceAll("@other", other(own))
        .replaceAll("@me", own)
        .replaceAll("@ME", own.toUpperCase());
    const fault = (what: string, cause?: unknown) =>
      new Error(`${what}\n${sender}: ${method} ${fill(path)} ${JSON.stringify(headers)} ${file ?? body ?? ""}`, {
        cause,
      });
    const token = tokens[sender];
    const request = new Request(`http://api${fill(path)}`, {
      method,
      headers: { ...headers, ...(token !== undefined && { Authorization: `Bearer ${token}` }) },
      ...(body !== undefined && { body: fill(body) }),
      ...(file !== undefined && { body: formWith(fill(file)) }),
    });
    const reply = await within(patience, server(request, { remoteAddress: "192.0.2.99" }), () =>
      fault("takes too long"),
    );
    const text = await reply.text();
    if (unforeseen !== undefined) throw fault("nobody foresaw", unforeseen);
    if (reply.status >= 500) throw fault(`answers ${reply.status} ${text}`);
    if (reply.headers.get("Content-Type") !== "application/json") throw fault("is not JSON by its header");
    const foreign = sender === "guest" ? Object.values(senders) : [other(own)];
    if (foreign.some((word) => text.toLowerCase().includes(word))) throw fault(`shows another account: ${text}`);

    const { operation: contract, success, kind } = rules.contractOf(operation);
    if (reply.status === 204 && contract.responses[204] !== undefined && text === "") return successes++;
    const answer = JSON.parse(text);
    const isValid = reply.status === 200 ? success : rules.isError;
    if (!isValid?.(answer))
      throw fault(`answers ${reply.status} against its contract: ${text}`, JSON.stringify(isValid?.errors));
    if (reply.status !== 200) return;
    successes++;
    if (path.includes("@other")) throw fault(`finds what belongs to another account: ${text}`);
    if (contract.security.length === 0) return;
    for (const [object, id] of objectsIn(answer, kind)) {
      if (typeof id === "string" && !textIds.includes(id)) textIds.push(id);
      const owner = owners.get(`${object} ${id}`) ?? own;
      if (owner !== own) throw fault(`shows ${object} ${id} of another account: ${text}`);
      owners.set(`${object} ${id}`, own);
    }
  };

  for (const request of beginningOf(rules.document)) await send(request);
  if (sequence.length > 0) await setGrant(store, "alpha-restricted", "begin.alpha.example", "read_write");
  for (const request of sequence) await send(request);
  return successes;
}

const other = (account: string) => (account === senders.owner ? senders.stranger : senders.owner);

/** Creates the users, each with their account's word in the name, and their tokens. */
async function prepareSenders(store: Store): Promise<Record<Sender, string | undefined>> {
  const account = senders.owner;
  const owner = await createToken(store, { username: "alpha-owner", account, now });
  await addUser(store, { username: "alpha-restricted", account, restricted: true, addDomains: true, now });
  const restricted = await createToken(store, { username: "alpha-restricted", account, now });
  const stranger = await createToken(store, { username: "bravo-owner", account: senders.stranger, now });
  return { owner, restricted, stranger, guest: undefined };
}

/** Objects that both accounts have at first, as far as the document has the operation. */
function beginningOf({ paths }: ApiDocument): FuzzRequest[] {
  const domain = (id: number): [string, object][] => [
    ["/domains", { domain: "begin.@me.example", type: "master", soa_email: "a@@me.example" }],
    [`/domains/${id}/records`, { type: "A", name: "www", target: "192.0.2.1" }],
    [`/domains/${id}/records`, { type: "MX", target: "" }],
    [`/domains/${id}/records`, { type: "CAA", tag: "issue", target: ";" }],
    ["/tags", { label: "@me", domains: [id] }],
    ["/support/tickets", { summary: "@me", description: "@me", domain_id: id }],
    ["/account/oauth-clients", { label: "@me", redirect_uri: "https://@me.example/" }],
  ];
  const of = (sender: Sender, id: number) =>
    domain(id).flatMap(([path, body]): FuzzRequest[] => {
      const operation = paths[path.replace(/\d+/, "{domainId}")]?.post?.operationId;
      const request = { sender, method: "POST", path: `/v4${path}`, headers: {}, body: JSON.stringify(body) };
      return operation === undefined ? [] : [{ ...request, operation }];
    });
  return [...of("owner", 1), ...of("stranger", 2)];
}

function formWith(name: string): FormData {
  const form = new FormData();
  form.set("file", new File(["text"], name));
  return form;
}

/**
 * Kind and id of each object of a reply: itself, those of its list, tagged ones, and subjects of events and tickets.
 */
function* objectsIn(reply: unknown, kind: string): Generator<[kind: string, id: unknown]> {
  if (typeof reply !== "object" || reply === null) return;
  if ("data" in reply && Array.isArray(reply.data)) for (const item of reply.data) yield* objectsIn(item, kind);
  else if ("data" in reply && "type" in reply) yield* objectsIn(reply.data, String(reply.type));
  else if ("id" in reply) yield [kind, reply.id];
  if ("entity" in reply && typeof reply.entity === "object" && reply.entity !== null && "type" in reply.entity)
    yield* objectsIn(reply.entity, String(reply.entity.type).replaceAll("_", ""));
}

async function within<T>(ms: number, work: Promise<T>, fault: () => Error): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(fault()), ms);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
