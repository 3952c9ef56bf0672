import { requireVisible } from '#features/visibility/server/index.ts'
import { fail, required } from '#kit/errors.ts'
import type { Actor } from '#server/actors.ts'
import { type Ctx, unit } from '#server/context.ts'
import { plays } from '#server/env.ts'
import type { Feature } from '#server/feature.ts'
import { implement, type SlowCtx } from '#server/http/route.ts'
import { flows, ticketFlow } from '../contract.ts'
import { errors } from '../errors.ts'
import { permissions } from '../permissions.ts'
import { settings } from '../settings.ts'
import { autoReplyRoutes } from './auto-replies.ts'
import { caseOfTicket, createCase, readCases, removeCase, runDraft } from './cases.ts'
import { rereadStaleVersions } from './documents.ts'
import {
  changeFlow,
  createFlow,
  duplicateFlow,
  endTrial,
  importFlow,
  promoteTrial,
  publishFlow,
  readDetail,
  readVersion,
  readVersions,
  removeFlow,
  restoreVersion,
} from './flows.ts'
import { assistantJob, callJob, smsJob, stageJob, timerJob } from './jobs.ts'
import { addMedia, withEmbedded } from './media.ts'
import { checkNights } from './nights.ts'
import { publishChanged, showEditor } from './presence.ts'
import { findFlow } from './queries.ts'
import { keysOfFlows } from './queries-secrets.ts'
import { replayRoutes } from './replay.ts'
import { separateSecrets } from './secrets.ts'
import { simulateDraft } from './simulate.ts'
import { statsRoutes } from './stats.ts'
import { readStory } from './story.ts'

export { attendByFlow, beginAtClosing, beginByHand } from './attend.ts'
export { eventJob, stageJob } from './job-values.ts'
export { seedOf } from './live.ts'
export { mergeTagsOfFlows } from './merge-tags.ts'
export { forgetSessions } from './queries-forget.ts'
export { removeReplays } from './queries-replay.ts'

/** Runs one unit of work for a user whose request uploads files. */
const within = <T>({ platform, tenantId, user, audit }: SlowCtx, work: (ctx: Ctx & { user: Actor }) => Promise<T>) =>
  unit(platform, { tenantId, user, audit }, (ctx) => work({ ...ctx, user }))

/** Changes a flow and notifies its editors. */
async function publishing<T>(ctx: Ctx & { user: Actor }, id: number, work: Promise<T>): Promise<T> {
  const done = await work
  await publishChanged(ctx, id)
  return done
}

const routes = implement(flows, {
  create: async (ctx, { body }) => {
    const made = await createFlow(ctx, body)
    await publishChanged(ctx, made.id)
    return made
  },
  get: (ctx, { params }) => readDetail(ctx, params.id),
  update: (slow, { params, body }) =>
    withEmbedded(slow, body.flow, (files) =>
      within(slow, async (ctx) => {
        await publishing(ctx, params.id, changeFlow(ctx, params.id, body, files))
        return readDetail(ctx, params.id)
      }),
    ),
  remove: async (ctx, { params }) => {
    await publishing(ctx, params.id, removeFlow(ctx, params.id))
    return { message: 'ok' }
  },
  duplicate: async (ctx, { body }) => {
    const made = await duplicateFlow(ctx, body)
    await publishChanged(ctx, made.id)
    return made
  },
  import: (slow, { params, body }) =>
    withEmbedded(slow, body, (files) =>
      within(slow, (ctx) => publishing(ctx, params.id, importFlow(ctx, params.id, body, files))),
    ),
  addMedia: (slow, { params, files }) =>
    within(slow, async (ctx) => {
      required(await findFlow(ctx.db, params.id), 'ERR_NO_CHAT_FLOW_FOUND')
      return addMedia(ctx, params.id, files[0] ?? fail('ERR_VALIDATION', { file: 'Escolha um arquivo.' }))
    }),
  publish: (ctx, { params, body }) => publishing(ctx, params.id, publishFlow(ctx, params.id, body)),
  promote: (ctx, { params }) => publishing(ctx, params.id, promoteTrial(ctx, params.id)),
  endTrial: (ctx, { params }) => publishing(ctx, params.id, endTrial(ctx, params.id)),
  versions: (ctx, { params }) => readVersions(ctx, params.id),
  version: (ctx, { params }) => readVersion(ctx, params.id, params.version),
  presence: async (ctx, { params, body }) => {
    await showEditor(ctx, params.id, body.state)
    return { message: 'ok' }
  },
  simulate: (ctx, { params, body }) => simulateDraft(ctx, params.id, body),
  listCases: (ctx, { params }) => readCases(ctx, params.id),
  createCase: (ctx, { params, body }) => createCase(ctx, params.id, body),
  caseOfTicket: async (ctx, { params, body: { name, ticketId } }) => {
    const { row } = await requireVisible(ctx, ticketId)
    return caseOfTicket(ctx, params.id, { name, ticketId, channel: row.channel })
  },
  removeCase: async (ctx, { params }) => {
    await removeCase(ctx, params.id, params.caseId)
    return { message: 'ok' }
  },
  runCases: (ctx, { params }) => runDraft(ctx, params.id),
  restore: (ctx, { params, body }) =>
    publishing(ctx, params.id, restoreVersion(ctx, params.id, { version: params.version, ...body })),
})

const ticketRoutes = implement(ticketFlow, {
  get: async (ctx, { params, query }) => {
    await requireVisible(ctx, params.id)
    return readStory(ctx, params.id, query.messageId ?? null)
  },
})

const NIGHT_EVERY_MS = 20 * 60_000

/** Chat flows feature: bots that attend conversations before people do. */
export const flowsFeature: Feature = {
  name: 'flows',
  titles: {
    flows: 'Chatbots',
    flowStats: 'Números de um chatbot',
    flowReplays: 'Repetição de conversas num chatbot',
    ticketFlow: 'Chatbot de um atendimento',
    autoReplies: 'Respostas automáticas',
  },
  settings,
  permissions,
  errors,
  routes: [...routes, ...ticketRoutes, ...statsRoutes, ...replayRoutes, ...autoReplyRoutes],
  jobs: [timerJob, callJob, stageJob, smsJob, assistantJob],
  encryptedWith: keysOfFlows,
  start: async (platform) => {
    rereadStaleVersions(platform)
    if (!plays(platform.env, 'worker')) return async () => {}
    await separateSecrets(platform).catch((err) =>
      platform.log.error({ err }, 'secrets of flows could not be kept apart'),
    )
    const stopping = new AbortController()
    let round = Promise.resolve()
    const timer = setInterval(() => {
      round = round
        .then(() => checkNights(platform, stopping.signal))
        .catch((err: unknown) => platform.log.warn({ err }, 'conversations of flows could not be replayed'))
    }, NIGHT_EVERY_MS).unref()
    return async () => {
      clearInterval(timer)
      stopping.abort()
      await round
    }
  },
}
