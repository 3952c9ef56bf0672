import { googleAdapter } from './google/adapter.ts'
import type { MakeCalendarAdapter } from './port.ts'

/** Factories of calendar adapters by provider id. */
export const calendarAdapters: Readonly<Record<string, MakeCalendarAdapter>> = {
  google: googleAdapter,
}
