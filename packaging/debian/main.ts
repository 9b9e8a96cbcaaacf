import { join } from "node:path";
import { buildDebianPackage } from "./build.ts";

const folder = join(import.meta.dirname, "../../build");
console.log(buildDebianPackage(join(folder, "zonewright"), folder));
