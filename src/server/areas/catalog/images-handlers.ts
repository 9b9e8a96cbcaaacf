import type { Image } from "../../../contract/resources/image.ts";
import type { Catalog } from "../../catalog/schema.ts";
import type { Handler } from "../../entities/context.ts";
import { notFound } from "../../kit/api-error.ts";
import { pageList } from "../../kit/list-of.ts";

export const listImages: Handler<"listImages"> = ({ query, filter }, { catalog }) =>
  pageList(catalog.images.map(imageReply), { filter, ...query });

export const getImage: Handler<"getImage"> = async ({ imageId }, { catalog }) => {
  const image = catalog.images.find(({ id }) => id === imageId);
  if (image === undefined) throw notFound();
  return imageReply(image);
};

/** The catalogue does not tell the age of images. */
const since = "2024-01-01T00:00:00";

/** An image of the catalogue as a reply shows it: everyone may use it. */
function imageReply({ id, label, size, vendor }: Catalog["images"][number]): Image {
  return {
    id,
    label,
    size,
    type: "manual",
    is_public: true,
    status: "available",
    vendor,
    description: null,
    deprecated: false,
    created: since,
    updated: since,
    created_by: "linode",
    eol: null,
    expiry: null,
    capabilities: [],
    regions: [],
    tags: [],
    total_size: size,
    is_shared: false,
  };
}
