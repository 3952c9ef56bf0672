import { channelLooks } from '#providers/channels/looks.ts'
import { type DrawnChannel, drawn } from './channel-looks.ts'

/** The look of a channel by its type on the wire, of today or of before; a type that this version does not have keeps its own name. */
export function channelLook(type: string): DrawnChannel {
  for (const { types, look } of channelLooks) {
    const known = types.find((one) => one.type === type || one.formerly?.includes(type))
    if (known) return drawn({ ...look, name: known.name })
  }
  return drawn({ icon: 'webchat', color: 'indigo', name: type })
}
