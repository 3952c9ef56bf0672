import { z } from 'zod'
import { events } from '#kit/events.ts'
import * as at from './addresses.ts'

/** Events about the start and end of support access. */
export const supportEvents = events(at.supportEvents, {
  changed: z.object({ isActive: z.boolean() }),
})

declare module '#kit/contract.ts' {
  interface Events {
    supportEvents: typeof supportEvents
  }
}
