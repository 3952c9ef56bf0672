import { channelType } from '#providers/channels/configs.ts'
import { type DrawnChannel, drawn } from './channel-looks.ts'

/** The look of a channel by its type on the wire; a type that this version does not have keeps its own name. */
export function channelLook(type: string): DrawnChannel {
  const known = channelType(type)
  return drawn(known ? { ...known.config.look, name: known.name } : { icon: 'webchat', color: 'indigo', name: type })
}
