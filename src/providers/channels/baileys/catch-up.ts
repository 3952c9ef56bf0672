import type { BinaryNode } from 'baileys'

/** So long what came in while the device was away may take to be read, before it counts as missing. */
const READ_MS = 20_000

const childOf = ({ content }: BinaryNode, tag: string): BinaryNode | undefined =>
  Array.isArray(content) ? content.find((one) => one.tag === tag) : undefined

/** Follows what a server stored while the device was away, until all of it was read. */
export function followCatchUp() {
  /** Those that have come and were not read yet. */
  const unread = new Set<string>()
  let announced: number | null = null
  let arrived = 0
  const all = Promise.withResolvers<void>()
  const done = Promise.withResolvers<void>()
  let hasEnded = false
  const look = () => {
    if (hasEnded && unread.size === 0) done.resolve()
  }
  return {
    /** The server says how much it has. */
    announce(stanza: BinaryNode) {
      const message = childOf(stanza, 'offline_preview')?.attrs['message']
      announced = message === undefined ? null : Number(message)
    },
    /** A message has come; `isIgnored`: nobody reads it. */
    take({ attrs }: BinaryNode, isIgnored: boolean) {
      if (attrs['offline'] === undefined || hasEnded) return
      arrived++
      if (!isIgnored) unread.add(attrs['id'] ?? '')
    },
    /** One was read and is stored. */
    read({ attrs }: BinaryNode) {
      if (unread.delete(attrs['id'] ?? '')) look()
    },
    /** The server has given all that it had. */
    end(stanza: BinaryNode) {
      const count = Number(childOf(stanza, 'offline')?.attrs['count'] ?? 0)
      if (count === 0) announced ??= 0
      hasEnded = true
      all.resolve()
      look()
    },
    /** How many messages it announced that did not come, or cannot be read; null where it did not say how many there are. */
    async missing(): Promise<number | null> {
      await all.promise
      let timer: NodeJS.Timeout | undefined
      const limit = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, READ_MS).unref()
      })
      await Promise.race([done.promise, limit]).finally(() => clearTimeout(timer))
      return announced === null ? null : Math.max(0, announced - arrived) + unread.size
    },
  }
}
