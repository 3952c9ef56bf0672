import { z } from 'zod'
import type { Ctx } from '#server/context.ts'

/** Name and payload of the job that runs a company's due actions. */
export const actJobValue = { name: 'funnel:act', schema: z.object({}) }

/** Enqueues due actions at once, after a card has entered a stage. */
export const enqueueActions = (ctx: Ctx): void => ctx.enqueue(actJobValue, {}, { key: `funnel:act:${ctx.tenantId}` })
