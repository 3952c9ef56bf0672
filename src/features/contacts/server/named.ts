import { z } from 'zod'
import { isOn } from '#kit/settings.ts'
import { type Ctx, unit } from '#server/context.ts'
import { job } from '#server/job.ts'
import { recording } from './changes.ts'
import { lockContact, updateContact } from './queries.ts'
import { findNames } from './queries-identities.ts'
import { publishing } from './save.ts'

const schema = z.object({ contactId: z.number(), pushname: z.string() })

/**
 * Job that stores a contact's new name on a channel. The contact's own name follows if it came from the channel and no user
 * has changed it; idempotent.
 */
export const nameJob = job({
  name: 'contacts:name',
  schema,
  run: (platform, { tenantId, ...named }) =>
    unit(platform, { tenantId, user: null }, (ctx) => takeName(ctx, named.contactId, named.pushname)),
})

/** Enqueues a contact's new name on a channel, unless the company keeps its own names. */
export function noticeName(
  ctx: Pick<Ctx, 'enqueue' | 'tenantId' | 'settings'>,
  contactId: number,
  pushname: string,
): void {
  if (isOn(ctx.settings, 'updateNames')) return
  ctx.enqueue(nameJob, { contactId, pushname }, { key: `name:${ctx.tenantId}:${contactId}` })
}

async function takeName(ctx: Ctx, id: number, pushname: string): Promise<void> {
  if (!(await lockContact(ctx.db, id))) return
  const before = await findNames(ctx.db, id)
  if (!before || before.pushname === pushname) return
  const follows = before.isNamedByChannel && before.name === before.pushname
  await publishing(ctx, [id], follows, () =>
    recording(ctx, [id], () => updateContact(ctx.db, id, { pushname, ...(follows ? { name: pushname } : {}) })),
  )
}
