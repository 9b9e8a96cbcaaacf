import type { OAuthClientStatus } from "../../../contract/resources/oauth-client.ts";
import { advise } from "../../../diagnostics/advice.ts";
import { problemError } from "../../../diagnostics/problem.ts";
import type { Store } from "../../store/store.ts";

/** An OAuth client as it is listed. */
export interface ShownClient {
  readonly id: string;
  readonly label: string;
  readonly account: string;
  readonly status: OAuthClientStatus;
  readonly isPublic: boolean;
  readonly redirectUri: string;
}

/** The OAuth clients of all accounts, in the order of their creation. */
export async function listClients(store: Store): Promise<ShownClient[]> {
  const rows = await store.read((db) =>
    db
      .selectFrom("oauth_clients")
      .innerJoin("accounts", "accounts.id", "oauth_clients.account_id")
      .selectAll("oauth_clients")
      .select("accounts.name as account")
      .orderBy("oauth_clients.id")
      .execute(),
  );
  return rows.map(({ client_id, label, account, status, public: isPublic, redirect_uri }) => ({
    id: client_id,
    label,
    account,
    status,
    isPublic: isPublic === 1,
    redirectUri: redirect_uri,
  }));
}

/**
 * Sets whether a client may be used, and returns its label.
 * @throws {ProblemError} `oauth-client-unknown`
 */
export async function setClientStatus(store: Store, id: string, status: OAuthClientStatus): Promise<string> {
  const row = await store.write((db) =>
    db.updateTable("oauth_clients").set({ status }).where("client_id", "=", id).returning("label").executeTakeFirst(),
  );
  if (row) return row.label;
  throw problemError("oauth-client-unknown", `the OAuth client "${id}" does not exist`, {
    fix: advise`Run ${{ run: "server operator client list" }} to list the OAuth clients.`,
  });
}
