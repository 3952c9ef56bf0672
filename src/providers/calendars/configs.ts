import { googleConfig } from './google/config.ts'

/** Configs of all calendar providers, one line each; settings belong to the first. */
export const calendarConfigs = [googleConfig] as const
