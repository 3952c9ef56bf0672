/** Header of a section. */
export type SectionStart =
  | { kind: 'table'; name: string; columns: string[] }
  | { kind: 'jobs' }
  | { kind: 'sequences'; values: Record<string, number> }
  | { kind: 'file'; path: string }
  | { kind: 'end'; tables: number; files: number; missing: string[]; damaged: string[] }

/** Trailer of a section: rows with the sum of their hashes, or bytes with their SHA-256. */
export type SectionEnd = { rows?: number; checksum?: string; size?: number; sha256?: string }

/** Writes one section as bytes: its header, its data as they come, its trailer (requested once the data are complete). */
export async function* writeSection(
  start: SectionStart,
  data: AsyncIterable<Buffer> | Iterable<Buffer> = [],
  end: () => SectionEnd = () => ({}),
): AsyncGenerator<Buffer> {
  yield frame(Buffer.from(JSON.stringify(start)))
  for await (const part of data) if (part.length > 0) yield frame(part)
  yield frame(Buffer.alloc(0))
  yield frame(Buffer.from(JSON.stringify(end())))
}

/** Section being read: read `data` to its end before calling `end`. */
export type Section = { start: SectionStart; data: AsyncIterable<Buffer>; end(): Promise<SectionEnd> }

/** Reads the sections of a plain stream, one after the other. */
export async function* readSections(source: AsyncIterable<Buffer>): AsyncGenerator<Section> {
  const frames = readFrames(source)
  const next = async (): Promise<Buffer> => {
    const { value, done } = await frames.next()
    if (done) throw new Error('The backup ends within a section.')
    return value
  }
  const data = async function* () {
    for (let part = await next(); part.length > 0; part = await next()) yield part
  }
  for (;;) {
    const start = await frames.next()
    if (start.done) return
    const end = async () => JSON.parse((await next()).toString()) as SectionEnd
    yield { start: JSON.parse(start.value.toString()) as SectionStart, data: data(), end }
  }
}

async function* readFrames(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let rest: Buffer = Buffer.alloc(0)
  for await (const part of source) {
    rest = rest.length > 0 ? Buffer.concat([rest, part]) : part
    let at = 0
    while (rest.length - at >= 4 && rest.length - at - 4 >= rest.readUInt32BE(at)) {
      const length = rest.readUInt32BE(at)
      yield rest.subarray(at + 4, at + 4 + length)
      at += 4 + length
    }
    rest = rest.subarray(at)
  }
  if (rest.length > 0) throw new Error('The backup ends within a section.')
}

function frame(body: Buffer): Buffer {
  const framed = Buffer.allocUnsafe(4 + body.length)
  framed.writeUInt32BE(body.length)
  body.copy(framed, 4)
  return framed
}
