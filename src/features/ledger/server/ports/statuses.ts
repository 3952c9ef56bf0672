import { z } from 'zod'
import { MESSAGE_STATUSES } from '#domain/messages/status.ts'
import { type Ctx, unit, withSavepoint } from '#server/context.ts'
import { isInfrastructure } from '#server/db/faults.ts'
import { job } from '#server/job.ts'

const change = z.object({
  messageId: z.string(),
  status: z.enum(MESSAGE_STATUSES),
  errorCode: z.string().nullable(),
  sendType: z.string(),
})

/** Change of status of one of our messages. */
export type StatusChange = Readonly<z.output<typeof change>>

/** Follows the status of messages with one of these types (`sendType`): gets changes in sets, repeated after a failure. */
export type StatusHook = {
  /** Name in the job that repeats it. */
  readonly name: string
  readonly sendTypes: readonly string[]
  run(ctx: Ctx, changes: readonly StatusChange[]): Promise<void>
}

let registered: readonly StatusHook[] = []

/** Registers the status hooks (`server/features.ts`); returns the previous ones. */
export function registerStatusHooks(hooks: readonly StatusHook[]): readonly StatusHook[] {
  const before = registered
  registered = hooks
  return before
}

/** Runs the hooks for changed statuses in their transaction; a failed hook is rolled back and repeated as a job. */
export async function publishStatuses(ctx: Ctx, changes: readonly StatusChange[]): Promise<void> {
  for (const hook of registered) {
    const followed = changes.filter(({ sendType }) => hook.sendTypes.includes(sendType))
    if (followed.length === 0) continue
    try {
      await withSavepoint(ctx, (inner) => hook.run(inner, followed))
    } catch (err) {
      if (isInfrastructure(err)) throw err
      ctx.platform.log.error({ err, tenantId: ctx.tenantId, hook: hook.name }, 'a hook failed and is repeated as a job')
      ctx.enqueue(statusJob, { hook: hook.name, changes: followed })
    }
  }
}

/** Job that repeats a failed hook with its input. */
export const statusJob = job({
  name: 'messages:statuses',
  schema: z.object({ hook: z.string(), changes: z.array(change) }),
  run: (platform, { tenantId, hook: name, changes }) =>
    unit(platform, { tenantId, user: null }, async (ctx) => {
      await registered.find((hook) => hook.name === name)?.run(ctx, changes)
    }),
})
