import type { BinaryNode } from 'baileys'

/** Time-out of reading the messages stored while the device was offline, before they count as missing, in ms. */
const READ_MS = 20_000

const childOf = ({ content }: BinaryNode, tag: string): BinaryNode | undefined =>
  Array.isArray(content) ? content.find((one) => one.tag === tag) : undefined

/** Tracks messages that the server stored while the device was offline, until all of them are read. */
export function followCatchUp() {
  /** Ids of messages that have arrived and are not read yet. */
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
    /** Takes the number of stored messages that the server announces. */
    announce(stanza: BinaryNode) {
      const message = childOf(stanza, 'offline_preview')?.attrs['message']
      announced = message === undefined ? null : Number(message)
    },
    /** Takes the arrival of a message; `isIgnored`: it will not be read. */
    take({ attrs }: BinaryNode, isIgnored: boolean) {
      if (attrs['offline'] === undefined || hasEnded) return
      arrived++
      if (!isIgnored) unread.add(attrs['id'] ?? '')
    },
    /** Records that a message was read and stored. */
    read({ attrs }: BinaryNode) {
      if (unread.delete(attrs['id'] ?? '')) look()
    },
    /** Records that the server has delivered all stored messages. */
    end(stanza: BinaryNode) {
      const count = Number(childOf(stanza, 'offline')?.attrs['count'] ?? 0)
      if (count === 0) announced ??= 0
      hasEnded = true
      all.resolve()
      look()
    },
    /**
     * Returns the number of announced messages that did not arrive or could not be read; null if the server announced no
     * number.
     */
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
