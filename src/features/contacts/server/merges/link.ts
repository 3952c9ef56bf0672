import { z } from 'zod'
import { spellingsOf } from '#domain/phone/brazil.ts'
import type { Sender } from '#features/ledger/server/ports/index.ts'
import { type Ctx, unit } from '#server/context.ts'
import { job } from '#server/job.ts'
import { merge } from './merge.ts'
import { adoptAddress, areDistinct, personsBehind } from './queries.ts'

/** Job payload: addresses of one person that a channel reported. */
const learned = z.object({
  channel: z.string(),
  identity: z.string(),
  alias: z.string().nullable(),
  number: z.string().nullable(),
})

/** Job that merges the persons behind a channel's addresses, unless a user has marked them as different; idempotent. */
export const linkJob = job({
  name: 'contacts:link',
  schema: learned,
  run: (platform, { tenantId, ...of }) => unit(platform, { tenantId, user: null }, (ctx) => link(ctx, of)),
})

/** Enqueues the merge of a sender's addresses. */
export function learn(ctx: Pick<Ctx, 'enqueue' | 'tenantId'>, { channel, identity, alias, number }: Sender): void {
  const key = `link:${ctx.tenantId}:${channel}:${identity}`
  ctx.enqueue(linkJob, { channel, identity, alias: alias ?? null, number }, { key })
}

/** Merges the persons behind the addresses of a channel. */
export async function link(ctx: Ctx, { channel, identity, alias, number }: z.output<typeof learned>): Promise<void> {
  const addresses = [identity, ...(alias === null ? [] : [alias])]
  const numbers = number === null ? [] : spellingsOf(number)
  const [person, ...others] = await personsBehind(ctx.db, { channel, addresses, numbers })
  if (!person) return
  let all = true
  for (const other of others)
    if (await areDistinct(ctx.db, person.id, other.id)) all = false
    else {
      const proof = person.isAddressed && other.isAddressed ? 'provider' : 'number'
      await merge(ctx, { id: person.id, otherId: other.id, proof })
    }
  if (all) await adoptAddress(ctx.db, person.id, { channel, addresses, number, now: ctx.now })
}
