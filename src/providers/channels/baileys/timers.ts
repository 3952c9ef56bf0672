import type { BinaryNode } from 'baileys'
import type { Link } from '../port.ts'
import { jidOf } from '../whatsapp-addresses.ts'
import type { DeviceGroups } from './groups.ts'
import { type Own, timerIn } from './inbound.ts'
import type { DeviceKeys } from './keys.ts'
import type { Library } from './library.ts'

/** Message expiration by conversation. */
export type DeviceTimers = ReturnType<typeof openTimers>

type Given = {
  readonly keys: Pick<DeviceKeys, 'write'>
  readonly link: Pick<Link, 'state'>
  readonly own: () => Own
  readonly groups: Pick<DeviceGroups, 'metadataOf'>
}

/** Tracks the expiration that contacts have set, so that our messages disappear with theirs. */
export function openTimers(library: Library, { keys, link, own, groups }: Given) {
  const known = new Map<string, number>()
  const entry = (conversationKey: string) => `timer ${conversationKey}`

  async function secondsIn(conversationKey: string): Promise<number> {
    const jid = jidOf(conversationKey)
    if (jid.endsWith('@g.us')) return (await groups.metadataOf(jid)).ephemeralDuration ?? 0
    const stored =
      known.get(conversationKey) ?? (await link.state.get([entry(conversationKey)])).get(entry(conversationKey))
    known.set(conversationKey, Number(stored ?? 0))
    return Number(stored ?? 0)
  }

  return {
    /** Returns the expiration of a conversation's messages in seconds; 0: never. */
    secondsIn,
    /** Takes the expiration from a decrypted message. */
    async take(stanza: BinaryNode, plain: Uint8Array) {
      const found = await timerIn(library, stanza, plain, own())
      if (!found || found.conversationKey.endsWith('@g.us')) return
      const { conversationKey, seconds } = found
      if (seconds === (await secondsIn(conversationKey))) return
      known.set(conversationKey, seconds)
      await keys.write([], new Map([[entry(conversationKey), seconds || undefined]]))
    },
  }
}
