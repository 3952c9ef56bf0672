const DAY_MS = 86_400_000

/** Whether a ticket can be snoozed until then (epoch ms): the moment is ahead, by a year at most. */
export const isSnoozeTime = (until: number, at: number): boolean => until > at && until <= at + 366 * DAY_MS
