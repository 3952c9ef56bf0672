/** States of a task: delayed, pending, finished. */
export const TASK_STATES = ['delayed', 'pending', 'finished'] as const
export type TaskState = (typeof TASK_STATES)[number]

/** Days between the tasks of a series; 1: a single task. */
export const RECURRENCES = [1, 7, 30, 45, 60, 75, 90] as const

/** Maximum number of tasks created by one request. */
export const MOST_TIMES = 60

const DAY_MS = 86_400_000

/** Returns the day (`YYYY-MM-DD`) a number of days later. */
const daysAfter = (day: string, days: number): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10)

/** Returns the reminder (ISO time) of a task of a series: as long before its day as the first one's. */
export const reminderOn = (reminder: string, firstDay: string, day: string): string =>
  new Date(Date.parse(reminder) + Date.parse(day) - Date.parse(firstDay)).toISOString()

/** Returns the days (`YYYY-MM-DD`) of a series of tasks, the given one first; one day where it does not recur. */
export const daysOfSeries = (day: string, recurrence: number, times: number): string[] =>
  Array.from({ length: recurrence === 1 ? 1 : times }, (_, at) => daysAfter(day, at * recurrence))

/** Returns the state of an unfinished task on a day of its company: `delayed` after its due day. */
export const openState = (limitDate: string, today: string): 'delayed' | 'pending' =>
  limitDate < today ? 'delayed' : 'pending'

/**
 * Returns the state to store for a written task: an open one is `delayed` or `pending` by its day, regardless of the
 * requested state, so that a new day ends the delay.
 */
export const storedState = (asked: TaskState, limitDate: string, today: string): TaskState =>
  asked === 'finished' ? 'finished' : openState(limitDate, today)

/** Returns the log type of a change: the state entered, else `changed`. */
export function logType(before: TaskState, after: TaskState): 'finished' | 'reopened' | 'changed' {
  if (before !== 'finished' && after === 'finished') return 'finished'
  return before === 'finished' && after !== 'finished' ? 'reopened' : 'changed'
}
