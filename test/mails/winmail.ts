/** Wraps files as Outlook does (TNEF), as far as the tests need it. */
export function winmail({
  text,
  files,
}: {
  text: string
  files: readonly { name: string; longName: string; bytes: string }[]
}): Uint8Array {
  const start = Buffer.alloc(6)
  start.writeUInt32LE(0x223e9f78)
  start.writeUInt16LE(1, 4)
  return Buffer.concat([
    start,
    attribute(1, 0x0002800c, Buffer.from(`${text}\0`, 'latin1')),
    ...files.flatMap(({ name, longName, bytes }) => [
      attribute(2, 0x00069002, Buffer.alloc(14)),
      attribute(2, 0x00018010, Buffer.from(`${name}\0`, 'latin1')),
      attribute(2, 0x0006800f, Buffer.from(bytes, 'latin1')),
      attribute(2, 0x00069005, nameProperty(longName)),
    ]),
  ])
}

function attribute(level: number, id: number, bytes: Buffer): Buffer {
  const header = Buffer.alloc(9)
  header.writeUInt8(level)
  header.writeUInt32LE(id, 1)
  header.writeUInt32LE(bytes.length, 5)
  const checksum = Buffer.alloc(2)
  checksum.writeUInt16LE(bytes.reduce((sum, byte) => (sum + byte) & 0xffff, 0))
  return Buffer.concat([header, bytes, checksum])
}

function nameProperty(name: string): Buffer {
  const encoded = Buffer.from(`${name}\0`, 'utf16le')
  const header = Buffer.alloc(16)
  header.writeUInt32LE(1)
  header.writeUInt16LE(0x1f, 4)
  header.writeUInt16LE(0x3707, 6)
  header.writeUInt32LE(1, 8)
  header.writeUInt32LE(encoded.length, 12)
  return Buffer.concat([header, encoded, Buffer.alloc((4 - (encoded.length % 4)) % 4)])
}
