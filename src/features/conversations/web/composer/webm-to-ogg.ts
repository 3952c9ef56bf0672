/**
 * Chrome records Opus only inside WebM, which everybody else (WhatsApp, and our own sniffing of uploads) reads as a
 * video. The packets are the same: this takes them out of the WebM and puts them into Ogg (RFC 3533, RFC 7845).
 */

type Packets = { header: Uint8Array; packets: Uint8Array[] }

/** EBML ids that hold other elements on the way to the packets; everything else is skipped whole. */
const containers = new Set([0x18538067, 0x1654ae6b, 0xae, 0x1f43b675, 0xa0])
const codecPrivate = 0x63a2
const simpleBlock = 0xa3
const block = 0xa1

/** The Ogg file with the Opus packets of a WebM recording; null when it is not one that can be read. */
export function webmToOgg(webm: ArrayBuffer): Blob | null {
  const found = readPackets(new Uint8Array(webm))
  if (!found || found.packets.length === 0) return null
  return new Blob(oggPages(found) as BlobPart[], { type: 'audio/ogg' })
}

function readPackets(bytes: Uint8Array): Packets | null {
  const packets: Uint8Array[] = []
  let header: Uint8Array | null = null
  const walk = (from: number, to: number): void => {
    for (let at = from; at < to; ) {
      const id = vint(bytes, at, true)
      const size = id && vint(bytes, at + id.length, false)
      if (!id || !size) return
      const start = at + id.length + size.length
      // A live recording leaves sizes open: such an element reaches to the end of what holds it.
      const end = size.isOpen ? to : Math.min(to, start + size.value)
      if (containers.has(id.value)) walk(start, end)
      else if (id.value === codecPrivate) header = bytes.subarray(start, end)
      else if (id.value === simpleBlock || id.value === block) packets.push(bytes.subarray(start + 4, end))
      at = end
    }
  }
  walk(0, bytes.length)
  return header ? { header, packets } : null
}

function vint(bytes: Uint8Array, at: number, withMarker: boolean) {
  const first = bytes[at]
  if (!first) return null
  const length = Math.clz32(first) - 23
  let value = withMarker ? first : first & (0xff >> length)
  let isOpen = !withMarker && value === 0xff >> length
  for (let next = at + 1; next < at + length; next++) {
    const byte = bytes[next]
    if (byte === undefined) return null
    value = value * 256 + byte
    if (byte !== 0xff) isOpen = false
  }
  return { value, length, isOpen }
}

const samplesPerMs = 48

/** The length of an Opus packet in 48 kHz samples, from its first byte (RFC 6716, section 3.1). */
export function opusSamples(packet: Uint8Array): number {
  const toc = packet[0] ?? 0
  const config = toc >> 3
  const silk = [10, 20, 40, 60]
  const ms = config < 12 ? silk[config & 3] : config < 16 ? [10, 20][config & 1] : [2.5, 5, 10, 20][config & 3]
  const frames = [1, 2, 2, (packet[1] ?? 0) & 63][toc & 3]
  return (ms ?? 20) * samplesPerMs * (frames ?? 1)
}

function oggPages({ header, packets }: Packets): Uint8Array[] {
  const serial = 0x47434845
  const tags = new TextEncoder().encode('OpusTags\x06\0\0\0guiche\0\0\0\0')
  const pages = [page([header], 0, 0, serial, 2), page([tags], 0, 1, serial, 0)]
  let granule = 0
  let group: Uint8Array[] = []
  let laces = 0
  const flush = (isLast: boolean) => {
    pages.push(page(group, granule, pages.length, serial, isLast ? 4 : 0))
    group = []
    laces = 0
  }
  for (const [index, packet] of packets.entries()) {
    const needs = Math.floor(packet.length / 255) + 1
    if (laces + needs > 250) flush(false)
    group.push(packet)
    laces += needs
    granule += opusSamples(packet)
    if (index === packets.length - 1) flush(true)
  }
  return pages
}

function page(packets: Uint8Array[], granule: number, sequence: number, serial: number, flags: number): Uint8Array {
  const lacing = packets.flatMap((packet) => [
    ...Array.from({ length: Math.floor(packet.length / 255) }, () => 255),
    packet.length % 255,
  ])
  const body = packets.reduce((sum, packet) => sum + packet.length, 0)
  const bytes = new Uint8Array(27 + lacing.length + body)
  const view = new DataView(bytes.buffer)
  bytes.set([0x4f, 0x67, 0x67, 0x53, 0, flags])
  view.setBigInt64(6, BigInt(granule), true)
  view.setUint32(14, serial, true)
  view.setUint32(18, sequence, true)
  bytes[26] = lacing.length
  bytes.set(lacing, 27)
  let at = 27 + lacing.length
  for (const packet of packets) {
    bytes.set(packet, at)
    at += packet.length
  }
  view.setUint32(22, checksum(bytes), true)
  return bytes
}

const table = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte << 24
  for (let bit = 0; bit < 8; bit++) value = value & 0x80000000 ? (value << 1) ^ 0x04c11db7 : value << 1
  return value >>> 0
})

function checksum(bytes: Uint8Array): number {
  let sum = 0
  for (const byte of bytes) sum = ((sum << 8) ^ (table[((sum >>> 24) ^ byte) & 255] as number)) >>> 0
  return sum
}
