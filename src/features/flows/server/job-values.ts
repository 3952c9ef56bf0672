import { z } from 'zod'

/** The job of a timer that a flow set, and what it is told. */
export const timerJob = { name: 'flows:timer', schema: z.object({ sessionId: z.string(), timerId: z.string() }) }

/** The job of an outside call, and what it is told; `tries` were made in vain. */
export const callJob = {
  name: 'flows:call',
  schema: z.object({
    sessionId: z.string(),
    callId: z.string(),
    tries: z.number().int(),
    call: z.object({
      url: z.string(),
      method: z.string(),
      headers: z.array(z.object({ key: z.string(), value: z.string() })).readonly(),
      bodyType: z.enum(['json', 'form', 'none']),
      body: z.string(),
      timeoutMs: z.number(),
      repeats: z.number(),
      repeatAfterMs: z.number(),
      saveAs: z.string(),
    }),
  }),
}
