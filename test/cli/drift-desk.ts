import { expect } from "vitest";
import { createServer } from "../../src/server/server.ts";
import { commitZones, type Git } from "./git.ts";
import { type ApiDesk, apiDesk, noon } from "./run.ts";

export interface DriftDesk extends ApiDesk {
  readonly git: Git;
  /** Changes the account as another user, at a moment. */
  as(user: string, at: string, method: string, path: string, body?: unknown): Promise<void>;
  idOf(name: string, type?: string): Promise<number>;
}

/** A repository whose zones are applied, with a published snapshot. */
export async function published(files: Record<string, string>): Promise<DriftDesk> {
  let clock = noon;
  const desk = await apiDesk(files);
  const git = commitZones(desk.folder);
  expect((await desk.run("apply --yes")).code).toBe(0);
  expect((await desk.run("snapshot --ref refs/zonewright/snapshot")).code).toBe(0);
  const server = createServer({ store: desk.store, clock: () => clock });
  const as: DriftDesk["as"] = async (user, at, method, path, body) => {
    clock = new Date(at);
    const token = await desk.mint({ username: user, account: "admin" });
    const request = new Request(`http://api/v4${path}`, {
      method,
      headers: { Authorization: `Bearer ${token}` },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const reply = await server(request, { remoteAddress: "192.0.2.99" });
    if (!reply.ok) throw new Error(`${method} ${path}: ${await reply.text()}`);
  };
  const idOf = async (name: string, type = "A") => {
    const { data } = await desk.call("GET", "/domains/1/records?page_size=500");
    return data.find((record: { name: string; type: string }) => record.name === name && record.type === type).id;
  };
  desk.now = new Date("2026-03-04T13:00:00Z");
  return Object.assign(desk, { git, as, idOf });
}
