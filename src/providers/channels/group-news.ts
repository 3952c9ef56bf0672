import { createHash } from 'node:crypto'
import type { GroupMember, GroupUpdate, Link } from './port.ts'

/** Current group of a channel, with all of its members. */
export type KnownGroup = { readonly key: string; readonly name: string; readonly members: readonly GroupMember[] }

/** Number of groups that are written in one commit. */
const AT_ONCE = 20

/**
 * Yields names and members of groups that differ from those last written: events at the time `at` (epoch ms) with the state
 * entries that record them, to be written together.
 */
export async function* groupNews(
  state: Pick<Link['state'], 'get'>,
  groups: readonly KnownGroup[],
  at: number,
): AsyncGenerator<{ events: GroupUpdate[]; entries: Map<string, string> }> {
  for (let from = 0; from < groups.length; from += AT_ONCE) {
    const block = groups.slice(from, from + AT_ONCE).map((group) => {
      const hash = createHash('sha256')
        .update(JSON.stringify([group.name, group.members]))
        .digest('base64')
      return { ...group, entry: `group ${group.key}`, hash }
    })
    const stored = await state.get(block.map(({ entry }) => entry))
    const changed = block.filter(({ entry, hash }) => stored.get(entry) !== hash)
    const events = changed.flatMap(({ key, name, members, hash }): GroupUpdate[] => {
      const about = { conversationKey: key, timestamp: at }
      return [
        { ...about, dedupeKey: `${key} ${hash} ${at} profile`, type: 'profile', name },
        { ...about, dedupeKey: `${key} ${hash} ${at}`, type: 'participants', change: 'all', members },
      ]
    })
    if (events.length > 0) yield { events, entries: new Map(changed.map(({ entry, hash }) => [entry, hash])) }
  }
}
