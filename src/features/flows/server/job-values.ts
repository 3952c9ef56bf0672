import { z } from 'zod'

/** The job of a timer that a flow set, and what it is told; `postponed`: it has been held back. */
export const timerJob = {
  name: 'flows:timer',
  schema: z.object({
    sessionId: z.string(),
    timerId: z.string(),
    postponed: z.object({ since: z.number(), dueAt: z.number() }).optional(),
  }),
}

/** The job that puts the contact of a conversation into a stage of the kanban. */
export const stageJob = { name: 'flows:stage', schema: z.object({ contactId: z.number(), kanban: z.number() }) }

/** The job of a text message to the contact of a conversation; `smsId` is the effect's, `connectionId` null: the first that carries them. */
export const smsJob = {
  name: 'flows:sms',
  schema: z.object({
    smsId: z.string(),
    ticketId: z.number(),
    contactId: z.number(),
    connectionId: z.number().nullable(),
    body: z.string(),
  }),
}

/**
 * The job of an outside call: which one of which version (its secrets stay there), and the variables that it names; `tries`
 * were made in vain.
 */
export const callJob = {
  name: 'flows:call',
  schema: z.object({
    sessionId: z.string(),
    callId: z.string(),
    tries: z.number().int(),
    // One that waits since before calls were named like this has no answer.
    of: z.object({ chatFlowId: z.number(), version: z.number(), nodeId: z.string(), index: z.number() }).optional(),
    values: z.record(z.string(), z.string()).default({}),
  }),
}

/** The job that makes an event in a calendar, once for each effect of a flow. */
export const eventJob = {
  name: 'flows:event',
  schema: z.object({
    effectId: z.string(),
    ticketId: z.number(),
    calendarId: z.number(),
    title: z.string(),
    when: z.object({
      type: z.enum(['today', 'tomorrow', 'days_from_interaction', 'custom']),
      days: z.number(),
      start: z.string(),
      end: z.string(),
    }),
    description: z.string(),
    location: z.string(),
    attendees: z.array(z.string()),
    notifies: z.boolean(),
    reminderMinutes: z.number().nullable(),
    /** When the flow wanted it, from which days are counted (epoch ms). */
    at: z.number(),
  }),
}
