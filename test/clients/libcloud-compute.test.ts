import { test as always, expect } from "vitest";
import { simulatedDriver } from "../../src/server/kit/job-driver.ts";
import { isMissing } from "../judges.ts";
import { libcloud, type Step } from "./libcloud.ts";
import { serve } from "./run.ts";

const test = always.skipIf(isMissing("libcloud"));

/** Expressions that find what others use. */
const size = "[size for size in compute.list_sizes() if size.name == 'Linode 2GB'][0]";
const image = "[image for image in compute.list_images() if image.id == 'linode/debian12'][0]";
const region = "[place for place in compute.list_locations() if place.id == 'eu-west'][0]";
const node = "compute.list_nodes()[0]";
const volume = "compute.list_volumes()[0]";

test("chooses sizes, images and regions", async () => {
  const api = await serve();
  const steps: Step[] = [
    [`[${size}.id, ${size}.price, ${size}.extra['monthly_price'], ${size}.ram]`, ["g6-standard-1", 0.02, 10, 2048]],
    [`${size}.extra['addons']['backups']['price']['monthly']`, 2.5],
    [`[${image}.name, ${image}.extra['vendor'], ${image}.extra['description']]`, ["Debian 12", "Debian", null]],
    [`[${region}.country, ${region}.extra['resolvers']['ipv6']]`, ["GB", "3fff::5,3fff::6"]],
  ];
  expect(await libcloud(api, steps)).toEqual(steps);
});

test("creates, stops, renames, resizes and deletes a node with a volume", async () => {
  const api = await serve({ jobDriver: simulatedDriver(0) });
  const steps: Step[] = [
    [
      `compute.create_node(${region}, ${size}, image=${image}, name='web', root_pass='correct Horse 7').state`,
      "starting",
    ],
    [
      `[${node}.name, ${node}.state, ${node}.size, ${node}.image]`,
      ["web", "running", "g6-standard-1", "linode/debian12"],
    ],
    [`[disk.filesystem for disk in compute.ex_list_disks(${node})]`, ["ext4", "swap"]],
    [`compute.create_volume('data', 20, location=${region}).extra['state']`, "creating"],
    [`compute.attach_volume(${node}, ${volume}).extra['linode_label']`, "web"],
    [`compute.ex_resize_volume(${volume}, 30)`, true],
    [`[${volume}.size, ${volume}.extra['state']]`, [30, "available"]],
    [`compute.detach_volume(${volume})`, true],
    [`compute.destroy_volume(${volume})`, true],
    [`compute.ex_rename_node(${node}, 'www').name`, "www"],
    [`compute.ex_allocate_private_address(${node}).public`, false],
    [`compute.stop_node(${node})`, true],
    [`${node}.state`, "stopped"],
    [`compute.start_node(${node})`, true],
    [`compute.reboot_node(${node})`, true],
    [`compute.destroy_node(${node})`, true],
    ["compute.list_nodes()", []],
  ];
  expect(await libcloud(api, steps)).toEqual(steps);
});
