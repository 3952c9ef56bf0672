import type { BinaryNode, WASocket } from 'baileys'
import { callMessage } from '../call-message.ts'
import type { ProviderEvent } from '../port.ts'
import { conversationOf, digitsOf, numbered } from '../whatsapp-addresses.ts'
import type { Own } from './inbound.ts'

/** Ringing calls of a device, and their refusal. */
export type DeviceCalls = ReturnType<typeof openCalls>

/** Maximum number of calls that are remembered. */
const MOST = 100

/** Tracks the calls of a device. */
export function openCalls(own: () => Own, socket: () => Pick<WASocket, 'rejectCall'>) {
  /** Caller's address by call id; null if the call was refused. */
  const ringing = new Map<string, string | null>()

  return {
    /** Returns the event of an incoming call's offer; nothing for group calls and other stanzas. */
    async eventsOf({ attrs, content }: BinaryNode): Promise<ProviderEvent[]> {
      const [about] = Array.isArray(content) ? content : []
      const id = about?.attrs['call-id']
      if (!about || !id) return []
      if (about.tag !== 'offer') {
        if (['terminate', 'accept', 'reject'].includes(about.tag) && ringing.get(id)) ringing.delete(id)
        return []
      }
      const { 'call-creator': creator = attrs['from'] ?? '', caller_pn: number, type } = about.attrs
      if (type === 'group' || about.attrs['group-jid']) return []
      ringing.set(id, creator)
      for (const [old] of ringing) if (ringing.size > MOST) ringing.delete(old)
      const address = numbered(creator, number ?? (await own().numberOf(creator)))
      const conversationKey = conversationOf(address)
      const isVideo = Array.isArray(about.content) && about.content.some(({ tag }) => tag === 'video')
      const lid = creator.endsWith('@lid') && creator !== address ? { alias: conversationOf(creator) } : {}
      return [
        {
          ...{ type: 'message', dedupeKey: `${id} call`, conversationKey },
          sender: { identity: conversationKey, name: '', number: digitsOf(address), ...lid },
          message: callMessage(id, Number(attrs['t']) * 1000, isVideo),
        },
      ]
    },
    /** Refuses a call; false if it no longer rings. */
    async refuse(id: string): Promise<boolean> {
      const creator = ringing.get(id)
      if (creator === undefined) return false
      if (creator !== null) await socket().rejectCall(id, creator)
      ringing.set(id, null)
      return true
    },
  }
}
