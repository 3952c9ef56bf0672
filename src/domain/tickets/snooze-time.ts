const DAY_MS = 86_400_000

/** Whether a ticket can be snoozed until a time (epoch ms): in the future, by a year at most. */
export const isSnoozeTime = (until: number, at: number): boolean => until > at && until <= at + 366 * DAY_MS
