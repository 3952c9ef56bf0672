import type { ChannelAdapter } from './port.ts'

/** Lets work through while what it takes is so many bytes at most together, in the order of asking; what takes more goes alone. */
export function byteGate(most: number): <T>(bytes: number, work: () => Promise<T>) => Promise<T> {
  let taken = 0
  const waiting: { readonly bytes: number; readonly go: () => void }[] = []
  const next = (): void => {
    for (let first = waiting[0]; first && taken + first.bytes <= most; first = waiting[0]) {
      waiting.shift()
      taken += first.bytes
      first.go()
    }
  }
  return async (bytes, work) => {
    const share = Math.min(bytes, most)
    await new Promise<void>((go) => {
      waiting.push({ bytes: share, go })
      next()
    })
    try {
      return await work()
    } finally {
      taken -= share
      next()
    }
  }
}

/** A gateway takes a file as one text of a call, which lies in memory several times over while it goes. */
const MOST_BYTES = 64 * 1024 * 1024
const throughGate = byteGate(MOST_BYTES)

/** A gateway's sending, its files only so many bytes at once over all gateways of this process. */
export const gated =
  (send: ChannelAdapter['send']): ChannelAdapter['send'] =>
  (message) =>
    message.file ? throughGate(message.file.size, () => send(message)) : send(message)
