import { fail } from '#kit/errors.ts'
import type { Feature } from '#server/feature.ts'
import { mountResource } from '#server/resource.ts'
import { errors } from '../errors.ts'
import { permissions } from '../permissions.ts'
import { tags } from '../tags.ts'
import { fastReplyRoutes } from './fast-replies.ts'
import { tagIsUsed } from './queries.ts'

export { forgetReplies } from './queries-fast-replies.ts'

const tagRoutes = mountResource(tags, {
  async beforeWrite(ctx, write) {
    if (write.action === 'delete' && (await tagIsUsed(ctx.db, write.id))) fail('ERR_TAG_CONTACTS_EXISTS')
  },
})

/** The plain tables: tags, quick replies. */
export const catalogFeature: Feature = {
  name: 'catalog',
  titles: { tags: 'Etiquetas', fastReplies: 'Mensagens rápidas' },
  permissions,
  errors,
  routes: [...tagRoutes, ...fastReplyRoutes],
  constraints: { fast_replies_key: 'ERR_FAST_REPLY_EXISTS', fast_replies_own_key: 'ERR_FAST_REPLY_EXISTS' },
}
