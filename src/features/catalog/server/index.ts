import { fail } from '#kit/errors.ts'
import type { Feature } from '#server/feature.ts'
import { mountResource } from '#server/resource.ts'
import { queues } from '../queues.ts'
import { tags } from '../tags.ts'
import { fastReplyRoutes } from './fast-replies.ts'
import { queueHasTickets, tagIsUsed, usersOfQueue } from './queries.ts'

const queueRoutes = mountResource(queues, {
  async beforeWrite(ctx, write) {
    // Whether a company has queues at all is one of the cached facts that rules ask for.
    if (write.action !== 'update') ctx.stale(`settings ${ctx.tenantId}`)
    if (write.action !== 'delete') return
    if (await queueHasTickets(ctx.db, write.id)) fail('ERR_QUEUE_TICKET_EXISTS')
    for (const userId of await usersOfQueue(ctx.db, write.id)) ctx.stale(`actors ${ctx.tenantId}:${userId}`)
  },
})

const tagRoutes = mountResource(tags, {
  async beforeWrite(ctx, write) {
    if (write.action === 'delete' && (await tagIsUsed(ctx.db, write.id))) fail('ERR_TAG_CONTACTS_EXISTS')
  },
})

/** The plain tables: queues, tags, quick replies. */
export const catalogFeature: Feature = {
  name: 'catalog',
  routes: [...queueRoutes, ...tagRoutes, ...fastReplyRoutes],
  constraints: { fast_replies_key: 'ERR_FAST_REPLY_EXISTS' },
}
