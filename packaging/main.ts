import { buildProgram } from "./program.ts";

await buildProgram();
