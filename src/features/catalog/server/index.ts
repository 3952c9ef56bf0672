import { fail } from '#kit/errors.ts'
import type { Ctx } from '#server/context.ts'
import type { Feature } from '#server/feature.ts'
import { implement } from '#server/http/route.ts'
import { mountResource } from '#server/resource.ts'
import { errors } from '../errors.ts'
import { allFarewells, farewells } from '../farewells.ts'
import { permissions } from '../permissions.ts'
import { reasons } from '../reasons.ts'
import { tags, tagUses } from '../tags.ts'
import { fastReplyFileRoutes, fastReplyRoutes } from './fast-replies.ts'
import { countTagUses, insertTags, lockTags, removeFarewells, removeTag, tagIsUsed } from './queries.ts'
import { mergeEverywhere } from './tag-merging.ts'

export { forgetReplies } from './queries-fast-replies.ts'
export { registerTagMerging } from './tag-merging.ts'

/** Creates tags by name, in the default colour; existing ones are left unchanged. */
export async function addTags(ctx: Ctx, names: readonly string[]): Promise<void> {
  const [first] = await insertTags(ctx.db, names, ctx.now)
  if (first !== undefined) ctx.emit(tags.changed, { id: first, action: 'create' }, { kind: 'tenant' })
}

const tagRoutes = mountResource(tags, {
  async beforeWrite(ctx, write) {
    if (write.action === 'delete' && (await tagIsUsed(ctx.db, write.id))) fail('ERR_TAG_CONTACTS_EXISTS')
  },
})

const tagUseRoutes = implement(tagUses, {
  list: async ({ db }) => ({ uses: await countTagUses(db) }),
  merge: async (ctx, { params: { id }, body: { into } }) => {
    if (into === id) fail('ERR_VALIDATION', { into: 'Escolha outra etiqueta.' })
    const names = await lockTags(ctx.db, [id, into])
    const [from, name] = [names.get(id), names.get(into)]
    if (from === undefined || name === undefined) return fail('ERR_NO_TAG_FOUND')
    await mergeEverywhere(ctx, id, into)
    await removeTag(ctx.db, id)
    ctx.audit({ before: { tag: from }, after: { tag: name } })
    ctx.emit(tags.changed, { id, action: 'delete' }, { kind: 'tenant' })
    ctx.emit(tags.changed, { id: into, action: 'update' }, { kind: 'tenant' })
    return { message: 'ok' }
  },
})

const allFarewellRoutes = implement(allFarewells, {
  remove: async (ctx) => {
    const removed = await removeFarewells(ctx.db)
    for (const { id } of removed) ctx.emit(farewells.changed, { id, action: 'delete' }, { kind: 'tenant' })
    ctx.audit({ before: { names: removed.map(({ name }) => name) } })
    return { message: 'ok' }
  },
})

/** Server part of the feature `catalog`: the simple tables: tags, quick replies, reasons, farewells. */
export const catalogFeature: Feature = {
  name: 'catalog',
  titles: {
    tags: 'Etiquetas',
    tagUses: 'Uso das etiquetas',
    fastReplies: 'Mensagens rápidas',
    fastReplyFiles: 'Arquivos de mensagens rápidas',
    reasons: 'Motivos',
    farewells: 'Despedidas',
    allFarewells: 'Todas as despedidas',
  },
  permissions,
  errors,
  routes: [
    ...tagRoutes,
    ...tagUseRoutes,
    ...fastReplyRoutes,
    ...fastReplyFileRoutes,
    ...mountResource(reasons),
    ...mountResource(farewells),
    ...allFarewellRoutes,
  ],
  constraints: { fast_replies_key: 'ERR_FAST_REPLY_EXISTS', fast_replies_own_key: 'ERR_FAST_REPLY_EXISTS' },
}
