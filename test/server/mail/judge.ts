import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import * as z from "zod";

const mailbox = z.tuple([z.string(), z.string()]);
const readMails = z.array(
  z.object({
    names: z.array(z.string()),
    from: z.array(mailbox),
    to: z.array(mailbox),
    addresses: z.array(z.string()),
    subject: z.string(),
    date: z.string(),
    id: z.string(),
    text: z.string(),
    defects: z.array(z.string()),
    longest: z.number(),
    "other line ends": z.number(),
    "lines of a dot": z.number(),
    "is ASCII": z.boolean(),
  }),
);

/** Messages as Python's e-mail package reads them. */
export function judgeMails(messages: readonly string[]) {
  const program = fileURLToPath(new URL("read_mail.py", import.meta.url));
  const input = JSON.stringify(messages);
  return readMails.parse(JSON.parse(execFileSync("python3", [program], { input, encoding: "utf8" })));
}
