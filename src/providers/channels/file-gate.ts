import { type ChannelAdapter, sendFailure } from './port.ts'

/**
 * Lets work through while what it takes is so many bytes at most together, in the order of asking; what takes more goes alone.
 * What has waited for `patienceMs` is not begun any more: it fails as unreachable, so that it is tried again.
 */
export function byteGate(most: number, patienceMs?: number): <T>(bytes: number, work: () => Promise<T>) => Promise<T> {
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
    await new Promise<void>((resolve, reject) => {
      let timer: NodeJS.Timeout | undefined
      const mine = {
        bytes: share,
        go() {
          clearTimeout(timer)
          resolve()
        },
      }
      const giveUp = () => {
        waiting.splice(waiting.indexOf(mine), 1)
        reject(sendFailure('unreachable', 'Saem muitos arquivos grandes ao mesmo tempo.'))
        next()
      }
      if (patienceMs !== undefined) timer = setTimeout(giveUp, patienceMs)
      waiting.push(mine)
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

/** A gateway takes a file as one text of a call, which lies in memory several times over while it goes; so does a mail. */
const MOST_BYTES = 64 * 1024 * 1024
/** Half of the time that a send may take at least: what was not begun by then would be called uncertain, and leave after all. */
const PATIENCE_MS = 60_000
const throughGate = byteGate(MOST_BYTES, PATIENCE_MS)

/** A channel's sending, its files only so many bytes at once over all connections of this process. */
export const gated =
  (send: ChannelAdapter['send']): ChannelAdapter['send'] =>
  (message) =>
    message.file ? throughGate(message.file.size, () => send(message)) : send(message)
