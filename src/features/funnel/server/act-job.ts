import { z } from 'zod'
import type { Ctx } from '#server/context.ts'

/** The job that does what is due of a company's actions. */
export const actJobValue = { name: 'funnel:act', schema: z.object({}) }

/** Has the actions of a stage done at once, with who has just come into it. */
export const enqueueActions = (ctx: Ctx): void => ctx.enqueue(actJobValue, {}, { key: `funnel:act:${ctx.tenantId}` })
