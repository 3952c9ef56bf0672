import { googleAdapter } from './google/adapter.ts'
import type { MakeCalendarAdapter } from './port.ts'

/** How the adapter of each provider of calendars is made, one line each. */
export const calendarAdapters: Readonly<Record<string, MakeCalendarAdapter>> = {
  google: googleAdapter,
}
