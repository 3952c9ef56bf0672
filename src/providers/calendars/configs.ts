import { googleConfig } from './google/config.ts'

export type { CalendarConfig } from './port.ts'

/** Every provider of calendars, one line each; settings are the first one's. */
export const calendarConfigs = [googleConfig] as const
