import { join } from "node:path";
import { buildBinary } from "./build.ts";

const [option, node, ...more] = process.argv.slice(2);
if (option === undefined || (option === "--node" && node !== undefined && more.length === 0))
  await buildBinary(join(import.meta.dirname, "../../build"), node);
else {
  console.error("Usage: npm run build:binary [-- --node PROGRAM]");
  process.exitCode = 2;
}
