import { z } from 'zod'
import { type Ctx, unit, withSavepoint } from '#server/context.ts'
import { isInfrastructure } from '#server/db/faults.ts'
import { job } from '#server/job.ts'

const person = z.object({ identity: z.string(), name: z.string(), number: z.string().nullable() })

const item = z.object({
  connectionId: z.number(),
  /** Group, by its address on the channel, and as a contact. */
  key: z.string(),
  contactId: z.number(),
  what: z.enum(['joined', 'left', 'wrote', 'changed']),
  /** People who joined, left or wrote; empty for other changes. */
  people: z.array(person),
  /** Text of the written message. */
  text: z.string().default(''),
  providerId: z.string().default(''),
  isAdmin: z.boolean().default(false),
})

/** Event in a group. */
export type GroupNews = Readonly<z.output<typeof item>>

/** Extension of group events: gets a batch, writes its own tables and records jobs, in the transaction of its ingest. */
export type GroupHook = {
  /** Name in the job that repeats it. */
  readonly name: string
  run(ctx: Ctx, news: readonly GroupNews[]): Promise<void>
}

let registered: readonly GroupHook[] = []

/** Registers the group hooks (`server/features.ts`); returns the previous ones. */
export function registerGroupHooks(hooks: readonly GroupHook[]): readonly GroupHook[] {
  const before = registered
  registered = hooks
  return before
}

/** Runs the group hooks within their transaction; a failed hook is rolled back and repeated as a job. */
export async function publishGroupNews(ctx: Ctx, news: readonly GroupNews[]): Promise<void> {
  if (news.length === 0) return
  for (const hook of registered) {
    try {
      await withSavepoint(ctx, (inner) => hook.run(inner, news))
    } catch (err) {
      if (isInfrastructure(err)) throw err
      ctx.platform.log.error({ err, tenantId: ctx.tenantId, hook: hook.name }, 'a hook failed and is repeated as a job')
      ctx.enqueue(groupNewsJob, { hook: hook.name, news: [...news] })
    }
  }
}

/** Job that repeats a failed group hook with its input. */
export const groupNewsJob = job({
  name: 'groups:news',
  schema: z.object({ hook: z.string(), news: z.array(item) }),
  run: (platform, { tenantId, hook: name, news }) =>
    unit(platform, { tenantId, user: null }, async (ctx) => {
      await registered.find((hook) => hook.name === name)?.run(ctx, news)
    }),
})
