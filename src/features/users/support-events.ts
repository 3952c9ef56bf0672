import { z } from 'zod'
import { events } from '#kit/events.ts'
import * as at from './addresses.ts'

/** Told when support comes and when it is sent away. */
export const supportEvents = events(at.supportEvents, {
  changed: z.object({ isActive: z.boolean() }),
})

declare module '#kit/contract.ts' {
  interface Events {
    supportEvents: typeof supportEvents
  }
}
