import type { Send } from "../../src/client/send.ts";

/** The outcome of a fake send: a reply, or the error that it rejects with. */
export type Answer = Response | Error;

/** A send that gives the answers in their order, again the last one at the end, and keeps what it was asked. */
export function fakeSend(...answers: (() => Answer)[]): { send: Send; requests: Request[] } {
  const requests: Request[] = [];
  const send: Send = async (request) => {
    requests.push(request.clone());
    const answer = answers[Math.min(requests.length, answers.length) - 1]?.();
    if (answer === undefined || answer instanceof Error) throw answer;
    return answer;
  };
  return { send, requests };
}

export function json(body: unknown, status = 200, headers: Record<string, string> = {}): () => Response {
  return () =>
    new Response(JSON.stringify(body), { status, headers: { "Content-Type": "application/json", ...headers } });
}

export function text(body: string, status: number, headers: Record<string, string> = {}): () => Response {
  return () => new Response(body, { status, headers });
}

export function refusal(status: number, reason: string, headers: Record<string, string> = {}): () => Response {
  return json({ errors: [{ reason }] }, status, headers);
}

/** An error as Node and undici throw it. */
export function failing(code: string, syscall?: string): () => Error {
  return () =>
    Object.assign(new Error(`${syscall ?? "read"} ${code}`), { code, ...(syscall !== undefined && { syscall }) });
}

/** Takes no time and keeps what it was asked to wait, in milliseconds. */
export function fakeSleep(): { sleep: (ms: number) => Promise<void>; waits: number[] } {
  const waits: number[] = [];
  return {
    waits,
    sleep: async (ms) => {
      waits.push(ms);
    },
  };
}

/** The error of a call that must not succeed. */
export async function errorOf(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    (value) => {
      throw new Error(`did not reject but gave ${JSON.stringify(value)}`);
    },
    (error: unknown) => error,
  );
}

export const domain = {
  id: 12,
  type: "master",
  domain: "example.com",
  status: "active",
  description: "",
  group: "",
  soa_email: "admin@example.com",
  ttl_sec: 0,
  refresh_sec: 0,
  retry_sec: 0,
  expire_sec: 0,
  master_ips: [],
  axfr_ips: [],
  tags: [],
} as const;
