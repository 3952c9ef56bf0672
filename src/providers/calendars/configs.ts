import { googleConfig } from './google/config.ts'

/** Every provider of calendars, one line each; settings are the first one's. */
export const calendarConfigs = [googleConfig] as const
