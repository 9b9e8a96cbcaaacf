import { connect } from "node:net";
import { attacks } from "./attacks.ts";

/** The clients of one attack, in a process of their own. Those that are hung up on come again. */
const [port = "", attack = ""] = process.argv.slice(2);

const { addresses, each, behaviours } = attacks[attack] ?? { addresses: 0, each: 0, behaviours: [] };
let connected = 0;
for (let address = 0; address < addresses; address++)
  for (let count = 0; count < each; count++) attackFrom(`127.0.0.${10 + address}`);

function attackFrom(localAddress: string): void {
  const socket = connect({ host: "127.0.0.1", port: Number(port), localAddress });
  socket.on("connect", () => {
    if (++connected === addresses * each) console.log("all are connected");
    for (const behave of behaviours) behave(socket);
  });
  socket.on("error", () => {}); // hung up on
  socket.on("close", () => setTimeout(() => attackFrom(localAddress), 100));
}
