/** `npm run bench [-- name]`: measurements, together in one run. Tests assert no timings. */
const benches: Record<string, () => Promise<{ run: () => Promise<void> }>> = {
  apply: () => import("./apply.ts"),
  creates: () => import("./creates.ts"),
  fmt: () => import("./fmt.ts"),
  hostile: () => import("./hostile.ts"),
  html: () => import("./html.ts"),
  import: () => import("./import.ts"),
  nodes: () => import("./nodes.ts"),
  peers: () => import("./peers.ts"),
  plan: () => import("./plan.ts"),
  serve: () => import("./serve.ts"),
  start: () => import("./start.ts"),
  transfer: () => import("./transfer.ts"),
  validate: () => import("./validate.ts"),
  zonefile: () => import("./zonefile.ts"),
};

const wanted = process.argv.slice(2);
const unknown = wanted.find((name) => !(name in benches));
if (unknown !== undefined) {
  console.error(`Unknown bench "${unknown}" (known: ${Object.keys(benches).join(", ")}).`);
  process.exitCode = 64;
} else {
  for (const [name, load] of Object.entries(benches)) {
    if (wanted.length > 0 && !wanted.includes(name)) continue;
    console.log(`\n${name}`);
    await (await load()).run();
  }
}
