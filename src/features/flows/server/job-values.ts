import { z } from 'zod'

/** Name and payload of the timer job of flows; `postponed`: it was delayed. */
export const timerJob = {
  name: 'flows:timer',
  schema: z.object({
    sessionId: z.string(),
    timerId: z.string(),
    postponed: z.object({ since: z.number(), dueAt: z.number() }).optional(),
  }),
}

/** Name and payload of the job that moves a conversation's contact to a kanban stage. */
export const stageJob = { name: 'flows:stage', schema: z.object({ contactId: z.number(), kanban: z.number() }) }

/**
 * Name and payload of the job that sends an SMS to a conversation's contact; `smsId` is the effect's id, `connectionId` null
 * uses the first SMS connection.
 */
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
 * Name and payload of the external call job: the call's node and version (where its secrets are stored), and its variables;
 * `tries` counts failed attempts.
 */
export const callJob = {
  name: 'flows:call',
  schema: z.object({
    sessionId: z.string(),
    callId: z.string(),
    tries: z.number().int(),
    // Absent in jobs enqueued before this field existed, which get no response.
    of: z.object({ chatFlowId: z.number(), version: z.number(), nodeId: z.string(), index: z.number() }).optional(),
    values: z.record(z.string(), z.string()).default({}),
  }),
}

/** Name and payload of the job that creates a calendar event, once per effect of a flow. */
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
    /** Time of the effect, from which days are counted (epoch ms). */
    at: z.number(),
  }),
}
