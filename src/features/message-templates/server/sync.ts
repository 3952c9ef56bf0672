import { z } from 'zod'
import { type Keeper, takeFailure } from '#features/connections/server/index.ts'
import { adapterOf } from '#features/ledger/server/ports/index.ts'
import type { ProviderTemplate, TemplateNews } from '#providers/channels/port.ts'
import { type Ctx, unit } from '#server/context.ts'
import { job } from '#server/job.ts'
import type { Platform } from '#server/platform.ts'
import { templateChanged } from '../contract.ts'
import { noteNews, ownersOf, removeOthers, saveTemplates } from './queries.ts'

/** Publishes a change of a connection's templates to the company. */
export const publish = (ctx: Ctx, connectionId: number): void =>
  ctx.emit(templateChanged.changed, { whatsappId: connectionId }, { kind: 'tenant' })

/** Reads all templates of a connection's account; returns their number; throws as its adapter does. */
export async function syncTemplates(platform: Platform, tenantId: number, connectionId: number): Promise<number> {
  const adapter = await adapterOf(platform, tenantId, connectionId)
  const asked = platform.now()
  const templates = (await adapter.ask?.('templates', {})) ?? []
  await unit(platform, { tenantId, user: null }, async (ctx) => {
    const saved = await saveTemplates(ctx.db, connectionId, templates, { asked, now: ctx.now })
    await removeOthers(ctx.db, connectionId, saved)
    publish(ctx, connectionId)
  })
  return templates.length
}

/** Stores a template in the state just saved at its provider. */
export async function saveTemplate(
  ctx: Ctx,
  connectionId: number,
  { template, asked }: { template: ProviderTemplate; asked: Date },
): Promise<number> {
  const [id] = await saveTemplates(ctx.db, connectionId, [template], { asked, now: ctx.now })
  publish(ctx, connectionId)
  return id!
}

/** Job that reads a new connection's templates; if its provider refuses, they are read on request. */
export const syncJob = job({
  name: 'message-templates-sync',
  schema: z.object({ connectionId: z.number().int() }),
  async run(platform, { tenantId, connectionId }) {
    const complaint = 'the templates of a connection could not be read'
    await syncTemplates(platform, tenantId, connectionId).catch((error: unknown) =>
      takeFailure(platform, { tenantId, connectionId }, { error, complaint }),
    )
  },
})

/** Handlers of connections' news about templates. */
export const keeper: Keeper<TemplateNews> = {
  connected: (ctx, connectionId) => ctx.enqueue(syncJob, { connectionId }, { key: `templates ${connectionId}` }),
  async news(platform, owner, news) {
    const ids = news.map(({ id }) => id)
    const owners = await platform.db.asPlatform((db) => ownersOf(db, ids, owner))
    for (const [tenantId, of] of Map.groupBy(owners, (one) => one.tenantId)) {
      const theirs = new Set(of.map(({ providerId }) => providerId))
      await unit(platform, { tenantId, user: null }, async (ctx) => {
        const theirNews = news.filter(({ id }) => theirs.has(id))
        for (const connectionId of await noteNews(ctx.db, theirNews, ctx.now)) publish(ctx, connectionId)
      })
    }
    const known = new Set(owners.map(({ providerId }) => providerId))
    return ids.filter((id) => !known.has(id)).length
  },
}
