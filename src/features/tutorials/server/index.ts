import { firstOf } from '#domain/present.ts'
import { fail, required } from '#kit/errors.ts'
import { type Actor, may } from '#server/actors.ts'
import { type Ctx, type ReadCtx, unit } from '#server/context.ts'
import type { Feature } from '#server/feature.ts'
import { fileUrl, storeUpload } from '#server/files/store.ts'
import { implement } from '#server/http/route.ts'
import { type Tutorial, tutorialExtras, tutorials } from '../contract.ts'
import { errors } from '../errors.ts'
import { permissions } from '../permissions.ts'
import { active, setFile, type TutorialRow, tutorialRows } from './queries.ts'

type Asking = Pick<ReadCtx, 'db' | 'platform' | 'tenantId' | 'settings'> & { user: Actor }

const NONE = 'ERR_NO_TUTORIAL_FOUND'

const serialize = ({ platform, tenantId }: Pick<Asking, 'platform' | 'tenantId'>, row: TutorialRow): Tutorial => {
  const { fileId, ...rest } = row
  return { ...rest, thumbnail: fileId === null ? null : fileUrl(platform, tenantId, fileId, 'capa') }
}

// Inactive tutorials are visible to their editors.
const seenBy = ({ user, settings }: Asking) => (may(user, settings, 'tutorials:write') ? undefined : active)

const shown = ({ title, description, link, isActive }: TutorialRow) => ({ title, description, link, isActive })

const publish = (ctx: Ctx, id: number, action: 'create' | 'update' | 'delete') =>
  ctx.emit(tutorials.changed, { id, action }, { kind: 'tenant' })

async function changed(ctx: Ctx, id: number): Promise<Tutorial> {
  publish(ctx, id, 'update')
  return serialize(ctx, required(await tutorialRows.find(ctx.db, id), NONE))
}

const routes = implement(tutorials.ops, {
  list: async (ctx, { query }) => {
    const { rows, page } = await tutorialRows.list(ctx.db, query, seenBy(ctx))
    return { items: rows.map((row) => serialize(ctx, row)), ...page }
  },
  get: async (ctx, { params }) =>
    serialize(ctx, required(await tutorialRows.find(ctx.db, params.id, seenBy(ctx)), NONE)),
  create: async (ctx, { body }) => {
    const row = await tutorialRows.insert(ctx.db, body, ctx.now)
    ctx.audit({ after: shown(row) })
    publish(ctx, row.id, 'create')
    return serialize(ctx, row)
  },
  update: async (ctx, { params: { id }, body }) => {
    const before = required(await tutorialRows.lock(ctx.db, id), NONE)
    const row = required(await tutorialRows.update(ctx.db, id, body, ctx.now), NONE)
    ctx.audit({ before: shown(before), after: shown(row) })
    publish(ctx, id, 'update')
    return serialize(ctx, row)
  },
  remove: async (ctx, { params: { id } }) => {
    const before = required(await tutorialRows.lock(ctx.db, id), NONE)
    ctx.audit({ before: shown(before) })
    await tutorialRows.remove(ctx.db, id)
    publish(ctx, id, 'delete')
    return { message: 'ok' }
  },
})

const arrange = implement(
  { arrange: tutorials.arrange! },
  {
    arrange: async (ctx, { body: { ids } }) => {
      if (!(await tutorialRows.arrange(ctx.db, ids))) fail(NONE)
      ctx.audit({ after: { ids } })
      publish(ctx, firstOf(ids), 'update')
      return { message: 'ok' }
    },
  },
)

const extras = implement(tutorialExtras, {
  duplicate: async (ctx, { params }) => {
    const { title, description, link, fileId } = required(await tutorialRows.find(ctx.db, params.id), NONE)
    const copy = { title: `${title.slice(0, 110)} (cópia)`, description, link, isActive: false }
    const row = await tutorialRows.insert(ctx.db, copy, ctx.now, { file_id: fileId })
    ctx.audit({ after: shown(row) })
    publish(ctx, row.id, 'create')
    return serialize(ctx, row)
  },
  setThumbnail: ({ platform, tenantId, user }, { params: { id }, files: [file] }) =>
    unit(platform, { tenantId, user }, async (ctx) => {
      required(await tutorialRows.lock(ctx.db, id), NONE)
      if (!file?.mime.startsWith('image/')) return fail('ERR_FILE_TYPE')
      await setFile(ctx.db, id, await storeUpload(ctx, file), ctx.now)
      return changed(ctx, id)
    }),
  removeThumbnail: async (ctx, { params: { id } }) => {
    required(await tutorialRows.lock(ctx.db, id), NONE)
    await setFile(ctx.db, id, null, ctx.now)
    return changed(ctx, id)
  },
})

/** Server part of the feature `tutorials`: tutorials of the company. */
export const tutorialsFeature: Feature = {
  name: 'tutorials',
  titles: { tutorials: 'Tutoriais', tutorialExtras: 'Imagens e cópias de tutoriais' },
  permissions,
  errors,
  routes: [...routes, ...arrange, ...extras],
}
