import type { Link, ProviderEvent } from '../port.ts'
import { conversationOf, digitsOf } from './inbound.ts'
import type { DeviceKeys } from './keys.ts'

const ENTRY = 'hidden'

type Pair = { readonly lid: string; readonly pn: string }

/** Follows who writes without showing a number, and publishes it once that becomes known. */
export function followHidden(keys: DeviceKeys, link: Pick<Link, 'state'>) {
  let loading: Promise<Set<string>> | undefined
  const load = () => {
    loading ??= link.state.get([ENTRY]).then((found) => new Set(found.get(ENTRY) as readonly string[] | undefined))
    return loading
  }
  const entry = (hidden: ReadonlySet<string>) => new Map([[ENTRY, [...hidden]]])
  return {
    /** Notes who of those that wrote is known by an address without a number. */
    async note(events: readonly ProviderEvent[]) {
      for (const { type, conversationKey } of events) {
        if (type !== 'message' || !conversationKey.endsWith('@lid') || (await load()).has(conversationKey)) continue
        const hidden = (await load()).add(conversationKey)
        await keys.write([], entry(hidden))
      }
    },
    /** It is known now which numbers belong to addresses. */
    async learn(pairs: readonly Pair[]) {
      const hidden = await load()
      const events = pairs.flatMap(({ lid, pn }): ProviderEvent[] => {
        const [conversationKey, number] = [conversationOf(lid), digitsOf(pn)]
        if (!number || !hidden.delete(conversationKey)) return []
        return [{ type: 'identity', dedupeKey: `${conversationKey} ${number}`, conversationKey, number }]
      })
      if (events.length > 0) await keys.write(events, entry(hidden))
    },
  }
}
