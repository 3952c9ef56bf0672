import { z } from 'zod'
import { spellingsOf } from '#domain/phone/brazil.ts'
import type { Sender } from '#features/ledger/server/ports/index.ts'
import { type Ctx, unit } from '#server/context.ts'
import { job } from '#server/job.ts'
import { merge } from './merge.ts'
import { adoptAddress, areDistinct, personsBehind } from './queries.ts'

/** What a channel said of one person's addresses. */
const learned = z.object({
  channel: z.string(),
  identity: z.string(),
  alias: z.string().nullable(),
  number: z.string().nullable(),
})

/** Makes one person of whom a channel's addresses lead to, unless somebody has said that they are two; done again it changes nothing. */
export const linkJob = job({
  name: 'contacts:link',
  schema: learned,
  run: (platform, { tenantId, ...of }) => unit(platform, { tenantId, user: null }, (ctx) => link(ctx, of)),
})

/** Records that they are to become one. */
export function learn(ctx: Pick<Ctx, 'enqueue' | 'tenantId'>, { channel, identity, alias, number }: Sender): void {
  const key = `link:${ctx.tenantId}:${channel}:${identity}`
  ctx.enqueue(linkJob, { channel, identity, alias: alias ?? null, number }, { key })
}

/** Makes them one now. */
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
