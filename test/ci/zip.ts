import { crc32, deflateRawSync } from "node:zlib";

/** A zip archive with one compressed file, as GitHub keeps artifacts. */
export function zipFile(name: string, content: Uint8Array): Uint8Array {
  const file = Buffer.from(name);
  const data = deflateRawSync(content);
  // Version 2.0, no flags, deflated, no time.
  const common = Buffer.alloc(26);
  common.writeUInt16LE(20, 0);
  common.writeUInt16LE(8, 4);
  common.writeUInt32LE(crc32(content), 10);
  common.writeUInt32LE(data.length, 14);
  common.writeUInt32LE(content.length, 18);
  common.writeUInt16LE(file.length, 22);
  const local = Buffer.concat([Buffer.from("PK\x03\x04", "latin1"), common, file, data]);
  const rest = Buffer.alloc(14);
  const central = Buffer.concat([Buffer.from("PK\x01\x02\x14\x00", "latin1"), common, rest, file]);
  const end = Buffer.alloc(22);
  end.write("PK\x05\x06", "latin1");
  end.writeUInt16LE(1, 8);
  end.writeUInt16LE(1, 10);
  end.writeUInt32LE(central.length, 12);
  end.writeUInt32LE(local.length, 16);
  return Buffer.concat([local, central, end]);
}
