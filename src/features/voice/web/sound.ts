/** Backlog of received sound beyond which some is dropped, and how much, in bytes (specification, Voice). */
const MOST_WAITING = 25_000
const DROPPED = 10_000

/** Creates a converter between sample rates: linear interpolation, continuous over blocks. */
export function createResampler(from: number, to: number): (block: Float32Array) => Float32Array {
  const step = from / to
  let last = 0
  // Position of the next sample in the next block; before 0 it lies behind the last sample of the previous one.
  let at = 0
  return (block) => {
    const made: number[] = []
    for (; at < block.length - 1; at += step) {
      const before = Math.floor(at)
      const [a, b] = [before < 0 ? last : (block[before] ?? 0), block[before + 1] ?? 0]
      made.push(a + (b - a) * (at - before))
    }
    at -= block.length
    last = block.at(-1) ?? last
    return Float32Array.from(made)
  }
}

/** Collects samples (-1 to 1) into frames of 16-bit PCM with `size` samples each. */
export function createFramer(
  size: number,
  send: (frame: Int16Array<ArrayBuffer>) => void,
): (block: Float32Array) => void {
  let frame = new Int16Array(size)
  let filled = 0
  return (block) => {
    for (const sample of block) {
      frame[filled++] = Math.round(Math.max(-1, Math.min(1, sample)) * 32_767)
      if (filled < size) continue
      send(frame)
      frame = new Int16Array(size)
      filled = 0
    }
  }
}

/** Queue of received 16-bit PCM: `read` fills a block with samples (-1 to 1), and silence where none are left. */
export function createBacklog() {
  let frames: Int16Array[] = []
  let at = 0
  let waiting = 0
  const discard = (bytes: number) => {
    let left = bytes / 2
    while (left > 0 && frames[0]) {
      const rest = frames[0].length - at
      const taken = Math.min(rest, left)
      at += taken
      left -= taken
      waiting -= taken * 2
      if (at === frames[0].length) {
        frames = frames.slice(1)
        at = 0
      }
    }
  }
  return {
    push(frame: Int16Array) {
      frames.push(frame)
      waiting += frame.byteLength
      if (waiting > MOST_WAITING) discard(DROPPED)
    },
    read(block: Float32Array) {
      block.fill(0)
      for (let to = 0; to < block.length && frames[0]; to++) {
        block[to] = (frames[0][at] ?? 0) / 32_768
        discard(2)
      }
    },
    /** Bytes that wait. */
    waiting: () => waiting,
  }
}
