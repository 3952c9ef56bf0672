import type { Direction, FlowMedia } from '../flow.ts'
import { idOf, type JsonObject, textOf } from '../json.ts'

/** Clamps a number to a range. */
export const within = (value: number, least: number, most: number): number => Math.min(Math.max(value, least), most)

/** Reads the file of an interaction. */
export const readMedia = (fields: JsonObject): FlowMedia => ({
  fileId: textOf(fields['fileId']) || null,
  name: textOf(fields['name']),
  type: textOf(fields['type']),
  caption: textOf(fields['caption']),
})

/** Returns the destination of an action that leaves the flow, by the action's number; null for other actions. */
export function readDirected(action: number | null, fields: JsonObject): Direction | null {
  switch (action) {
    case 1:
      return { to: 'queue', queueId: idOf(fields['queueId']) }
    case 2:
      return { to: 'user', userId: idOf(fields['userIdDestination']) }
    case 3:
      return { to: 'close', text: textOf(fields['closeTicket']) }
    case 4:
      return { to: 'channel', connectionId: idOf(fields['channelDestination']) }
    default:
      return null
  }
}
