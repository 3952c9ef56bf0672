import { withType } from '#kit/channel-types.ts'
import { channelLooks } from '#providers/channels/looks.ts'
import { type DrawnChannel, drawn } from './channel-looks.ts'

/** Returns the look of a channel by its current or a former wire type; an unknown type keeps its own name. */
export function channelLook(type: string): DrawnChannel {
  const found = withType(channelLooks, type)
  if (!found) return drawn({ icon: 'webchat', color: 'indigo', name: type })
  const { channel, known, variant } = found
  return drawn({ ...(variant?.look ?? channel.look), name: (variant ?? known).name })
}
