import { buildProduct } from "./program.ts";

await Promise.all([buildProduct("dist/cli"), buildProduct("dist/library")]);
