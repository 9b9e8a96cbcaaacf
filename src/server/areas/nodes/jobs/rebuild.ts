import { accountOf } from "../../../entities/account.ts";
import { removeRows } from "../../../store/rows.ts";

import { updateNodeRow } from "../rows/nodes.ts";
import { deployImage } from "./create.ts";
import { type NodeEnd, restoreStatus, setStatus } from "./ending.ts";
import { bootNext } from "./power.ts";

/** The end of a rebuild: it replaces all disks and configuration profiles by those of the image. */
export const rebuildEnds = {
  rebuild: {
    async end(ending) {
      const { db, node, catalog, data, now } = ending;
      const image = catalog.images.find(({ id }) => id === data.deploys?.image);
      if (image === undefined || data.deploys === undefined) return { message: "The image does not exist any more." };
      await removeRows(db, "disks", { node_id: node.id });
      await removeRows(db, "node_configs", { node_id: node.id });
      const account = await accountOf(db, node.account_id);
      await deployImage(db, node, { ...data.deploys, image }, { now, account, status: "ready" });
      await updateNodeRow(db, node.id, { image: image.id, booted_config_id: null });
      const offline = await setStatus(ending, "offline");
      if (data.boots) await bootNext(ending, offline);
      return undefined;
    },
    fail: restoreStatus,
  },
} satisfies Record<string, NodeEnd>;
