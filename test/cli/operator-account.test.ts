import { expect, test } from "vitest";
import { Desk } from "./run.ts";

test.each(["0", "0.00", "-5", "1.234", "1,50", "1e3", "ten", "$5", "10000000000"])(
  "refuses a payment of %s",
  async (amount) => {
    const desk = new Desk();
    await desk.run("server user add admin");
    expect(await desk.run(["server", "operator", "account", "pay", "admin", "--", amount])).toEqual({
      code: 64,
      out: "",
      talk: `error: the amount must be from 0.01 to 999999999.99 dollars, such as 12.50, not "${amount}".\n`,
    });
    expect(await desk.run("server operator account statement admin")).toEqual({
      code: 0,
      out: "",
      talk: "no invoices and no payments\n",
    });
  },
);

test("payments add up, and an unknown account has none", async () => {
  const desk = new Desk();
  await desk.run("server user add admin");
  expect((await desk.run("server operator account pay admin 5")).talk).toContain("its balance is now -5.00\n");
  expect((await desk.run("server operator account pay admin 0.01")).talk).toContain("its balance is now -5.01\n");
  const { out } = await desk.run("server operator account statement admin");
  expect(out.split("\n").map((line) => line.split(/ {2,}/))).toEqual([
    ["date", "entry", "amount", "balance"],
    [expect.any(String), "payment received", "-5.00", "-5.00"],
    [expect.any(String), "payment received", "-0.01", "-5.01"],
    [""],
  ]);
  for (const words of ["statement nobody", "pay nobody 5"])
    expect((await desk.run(`server operator account ${words}`)).talk).toContain('the account "nobody" does not exist');
});
