import { dayIn } from '#domain/calendar/local-time.ts'
import { type DispatchMove, mayMove } from '#domain/campaigns/states.ts'
import { templateText } from '#domain/message-templates/template.ts'
import { typeOfMime } from '#domain/messages/types.ts'
import { narrowingOf, onlyFor } from '#features/contacts/server/index.ts'
import { findChatFlow } from '#features/ledger/server/commands/index.ts'
import { usableTemplate } from '#features/ledger/server/hooks/index.ts'
import { fillIn } from '#features/ledger/server/texts/index.ts'
import { saveSettings } from '#features/settings/server/index.ts'
import { writeToEach } from '#features/tickets/server/begin/index.ts'
import type { Input, Returned } from '#kit/contract.ts'
import { fail, required } from '#kit/errors.ts'
import { isOn } from '#kit/settings.ts'
import { capabilitiesOf } from '#providers/channels/configs.ts'
import { type Actor, mayUseConnection } from '#server/actors.ts'
import { type Ctx, type ReadCtx, reading, unit } from '#server/context.ts'
import { patternOf } from '#server/db/like.ts'
import { storeUpload } from '#server/files/store.ts'
import { implement, type SlowCtx } from '#server/http/route.ts'
import { ownVariablesOf } from '#server/own-variables.ts'
import type { StoredFile } from '#server/storage.ts'
import { campaignEvents, campaigns, outreach } from '../contract.ts'
import { outreachFor, rhythmOf, variantsOf } from './insight.ts'
import { withMedia } from './media.ts'
import { AUDIENCE, dispatchOf, moved, requireMove, written } from './moves.ts'
import { pageOfDispatches, pageOfItems } from './pages.ts'
import { planDispatch } from './plan.ts'
import { type DispatchRecord, insertDispatch, lockDispatch, removeDispatch, updateDispatch } from './queries.ts'
import {
  addItems,
  copyItems,
  countChosen,
  messagesAhead,
  moveByMessage,
  removeItems,
  setItemsConnection,
  skipWaiting,
  unskip,
} from './queries-items.ts'
import { findConnection, findNamed, findSubject } from './queries-turn.ts'
import { reportOf } from './report.ts'
import { columnsOf, contactsOf, scheduleFollowUps } from './series.ts'
import { serializeCampaign } from './stored.ts'

type UserCtx = Ctx & { user: Actor }
type Form = Input<typeof campaigns.create>['body']
type Answer = Returned<typeof campaigns.get>

const KIND = 'campaign'
const KINDS = [KIND]

/** Routes of campaigns. */
export const campaignRoutes = implement(campaigns, {
  list: async (ctx, { query }) => {
    const { searchParam, status } = query
    const which = { kind: KIND, statuses: status ?? null, search: searchParam ? patternOf(searchParam) : null }
    const { dispatches, ...page } = await pageOfDispatches(ctx, which, query)
    return { campaigns: dispatches, ...page }
  },
  get: async (ctx, { params }) => serializeCampaign(ctx, await one(ctx, params.id)),
  create: (ctx, { body, files }) =>
    writing(ctx, body, files, async (inner, media) => {
      const values = await stored(inner, body, media)
      return insertDispatch(inner.db, { ...values, kind: KIND, user_id: ctx.user.id }, inner.now)
    }),
  update: (ctx, { params: { id }, body, files }) =>
    writing(ctx, body, files, async (inner, media) => {
      await requireEditable(inner, id)
      const values = await stored(inner, body, media)
      await updateDispatch(inner.db, id, values, inner.now)
      await setItemsConnection(inner.db, id, values.connection_id)
      return id
    }),
  remove: async (ctx, { params: { id } }) => {
    await requireMove(ctx, id, 'remove', KINDS)
    ctx.audit({ before: { name: (await one(ctx, id)).name } })
    await removeDispatch(ctx.db, id)
    ctx.emit(campaignEvents.changed, { id, action: 'delete' }, AUDIENCE)
    return { message: 'ok' }
  },
  start: async (ctx, { params: { id } }) => {
    await requireMove(ctx, id, 'start', KINDS)
    await unskip(ctx.db, id, ctx.now)
    const campaign = await one(ctx, id)
    if ((campaign.counts.waiting ?? 0) === 0) fail('ERR_NO_CAMPAIGN_CONTACTS_NOT_FOUND')
    requireDate(ctx, campaign.startAt)
    const { level, reasons, delay, unknownVariables } = await planDispatch(ctx, campaign)
    const problems = [
      ...(level === 'stop' ? reasons : []),
      ...unknownVariables.map((name) => `A variável {{${name}}} não existe.`),
    ]
    if (problems.length > 0)
      fail('ERR_CAMPAIGN_PLAN', { reasons: problems, ...(delay === null ? {} : { delay }) } as never)
    if (!isOn(ctx.settings, 'campaignAnswers')) await saveSettings(ctx, { campaignAnswers: 'enabled' })
    // The next occurrence of a recurring campaign is created when this one starts.
    const { recurrence, startAt } = campaign
    if (recurrence !== null) await updateDispatch(ctx.db, id, { awaits_start: true, repeats_from: startAt }, ctx.now)
    return moved(ctx, id, 'start', KINDS)
  },
  cancel: (ctx, { params }) => movedIf(ctx, params.id, 'cancel'),
  pause: (ctx, { params }) => movedIf(ctx, params.id, 'pause'),
  resume: (ctx, { params }) => movedIf(ctx, params.id, 'resume'),
  finish: async (ctx, { params: { id } }) => {
    await requireMove(ctx, id, 'finish', KINDS)
    await skipWaiting(ctx.db, id, { reason: 'ended', most: null, now: ctx.now })
    await scheduleFollowUps(ctx, [id])
    return moved(ctx, id, 'finish', KINDS)
  },
  skip: async (ctx, { params: { id } }) => {
    await requireMove(ctx, id, 'skip', KINDS)
    await skipWaiting(ctx.db, id, { reason: 'person', most: 1, now: ctx.now })
    return written(ctx, id, 'update', KINDS)
  },
  acks: async (ctx, { params: { id } }) => {
    await one(ctx, id)
    const ahead = await messagesAhead(ctx.db, id)
    await moveByMessage(
      ctx.db,
      ahead.map((message) => ({ ...message, reason: '' })),
      ctx.now,
    )
    return written(ctx, id, 'update', KINDS)
  },
  duplicate: async (ctx, { params: { id }, body: { onlySilent } }) => {
    const from = await one(ctx, id)
    const copied = await insertDispatch(
      ctx.db,
      {
        ...columnsOf(from),
        ...{ kind: KIND, name: `${from.name} (cópia)`.slice(0, 120), start_at: tomorrow(ctx), user_id: ctx.user.id },
        ...(onlySilent ? { parent_id: id } : {}),
      },
      ctx.now,
    )
    if (from.connectionId !== null)
      await copyItems(ctx.db, { dispatchId: copied, connectionIds: [from.connectionId] }, { from: id, onlySilent })
    return written(ctx, copied, 'create', KINDS)
  },
  plan: async ({ platform, tenantId, user }, { params }) =>
    unit(platform, { tenantId, user }, async (ctx) => planDispatch(ctx, await one(ctx, params.id))),
  preview: async (ctx, { params: { id, contactId } }) => {
    const { messages, template, connectionId } = await one(ctx, id)
    const contact = required(await findSubject(ctx.db, contactId, onlyFor(ctx)), 'ERR_NO_CONTACT_FOUND')
    const own = (await ownVariablesOf(ctx.db, [contactId]))(contactId)
    const filled = (text: string) => fillIn(ctx, text, { contact, own })
    const known = template && connectionId !== null && (await templateOf(ctx, connectionId, template))
    if (!template || !known) return { name: contact.name, messages: messages.map(({ body }) => filled(body)) }
    const values = Object.fromEntries(Object.entries(template.values).map(([key, text]) => [key, filled(text)]))
    return { name: contact.name, messages: [templateText(known, values)] }
  },
  rhythm: async (ctx, { params }) => rhythmOf(ctx, await one(ctx, params.id)),
  variants: async (ctx, { params }) => variantsOf(ctx, await one(ctx, params.id)),
  report: async (ctx, { params: { id }, query: { format } }) => {
    const dispatch = await reading(ctx.platform, ctx, (inner) => one(inner, id))
    return reportOf(ctx, dispatch, format)
  },
  test: async (ctx, { params, body: { contactId, message } }) => {
    const { messages, template, connectionId, fileId, fileMime } = await one(ctx, params.id)
    const file = fileId && fileMime ? { id: fileId, mime: fileMime } : null
    const refused = await writeToEach(
      ctx,
      {
        connectionId: required(connectionId, 'ERR_NO_WAPP_FOUND'),
        sendType: 'campaign-test',
        ...(template ? { template } : {}),
      },
      [{ contactId, body: messages[message - 1]?.body ?? '', file }],
    )
    const code = refused.get(contactId)
    if (code) fail(code)
    return { message: 'ok' }
  },
  audience: async (ctx, { query }) => ({ count: await countChosen(ctx.db, await contactsOf(ctx, { filter: query })) }),
  contacts: async (ctx, { params: { id }, query }) => {
    await one(ctx, id)
    const { searchParam, message, state, replied = false, optedOut = false, clicked = false } = query
    const { narrowing } = searchParam ? await narrowingOf(ctx, { searchParam }) : { narrowing: null }
    const contactIds = narrowing && (narrowing.ids ?? [])
    const variant = message === undefined ? null : message - 1
    const which = { dispatchId: id, states: state ?? null, replied, optedOut, clicked, variant, contactIds }
    return pageOfItems(ctx, which, query)
  },
  addContacts: async (ctx, { params: { id }, body: { contacts = [], filter, expected } }) => {
    await requireEditable(ctx, id)
    const { connectionId, audience } = await one(ctx, id)
    const to = { dispatchId: id, connectionIds: [required(connectionId, 'ERR_NO_WAPP_FOUND')] }
    const choice = filter ? { filter } : { contacts }
    const chosen = await contactsOf(ctx, choice)
    const count = filter && expected !== undefined ? await countChosen(ctx.db, chosen) : expected
    if (count !== expected) fail('ERR_SELECTION_CHANGED', { count: count ?? 0 })
    const added = await addItems(ctx.db, to, chosen)
    await updateDispatch(ctx.db, id, { audience: JSON.stringify([...audience, choice]) }, ctx.now)
    const { contactsCount } = await written(ctx, id, 'update', KINDS)
    ctx.audit({ after: { added } })
    return { added, contactsCount }
  },
  removeContact: async (ctx, { params: { id, contactId } }) => {
    await requireEditable(ctx, id)
    if ((await removeItems(ctx.db, id, contactId)) === 0) fail('ERR_CAMPAIGN_CONTACTS_NOT_EXISTS')
    await written(ctx, id, 'update', KINDS)
    return { message: 'ok' }
  },
  clear: async (ctx, { params: { id } }) => {
    await requireEditable(ctx, id)
    ctx.audit({ after: { removed: await removeItems(ctx.db, id, null) } })
    await updateDispatch(ctx.db, id, { audience: '[]' }, ctx.now)
    await written(ctx, id, 'update', KINDS)
    return { message: 'ok' }
  },
})

/** Returns the template that a campaign sends; null if it no longer exists. */
async function templateOf(ctx: ReadCtx, connectionId: number, wanted: NonNullable<DispatchRecord['template']>) {
  const connection = await findConnection(ctx.db, connectionId)
  if (!connection) return null
  return usableTemplate(ctx, { channel: connection.type, connection_id: connection.id }, wanted).catch(() => null)
}

/** Routes of number care. */
export const outreachRoutes = implement(outreach, {
  get: ({ platform, tenantId, user }, { params }) =>
    unit(platform, { tenantId, user }, (ctx) => outreachFor(ctx, params.id)),
})

const one = (ctx: Pick<ReadCtx, 'db'> | Pick<Ctx, 'db'>, id: number): Promise<DispatchRecord> =>
  dispatchOf(ctx, id, KINDS)

/** Writes a campaign with its file in its own transaction; returns it as stored. */
const writing = (
  ctx: SlowCtx,
  form: Form,
  files: readonly StoredFile[],
  work: (inner: UserCtx, files: readonly StoredFile[]) => Promise<number>,
): Promise<Answer> =>
  withMedia(ctx, form, files, (media) =>
    unit(ctx.platform, ctx, async (inner) => {
      const id = await work({ ...inner, user: ctx.user }, media)
      const answer = await written(inner, id, 'update', KINDS)
      ctx.audit({ after: { name: answer.name, start: answer.start, sessionId: answer.sessionId } })
      return answer
    }),
  )

async function requireEditable({ db }: Pick<Ctx, 'db'>, id: number): Promise<void> {
  const status = required(await lockDispatch(db, id, KINDS), 'ERROR_CAMPAIGN_NOT_EXISTS')
  if (!mayMove(status, 'edit')) fail('ERR_NO_UPDATE_CAMPAIGN_NOT_IN_CANCELED_PENDING')
}

async function movedIf(ctx: UserCtx, id: number, move: DispatchMove): Promise<Answer> {
  await requireMove(ctx, id, move, KINDS)
  return moved(ctx, id, move, KINDS)
}

/** Returns the columns of a form, after checking that the records it names exist and the connection supports it. */
async function stored(ctx: UserCtx, form: Form, files: readonly StoredFile[]) {
  const connection = required(await findConnection(ctx.db, form.sessionId), 'ERR_NO_WAPP_FOUND')
  if (connection.isDeleted) fail('ERR_NO_WAPP_FOUND')
  if (!mayUseConnection(ctx.user, ctx.settings, connection.id)) fail('ERR_NO_PERMISSION')
  const { begins, maxTextLength, files: carried } = capabilitiesOf(connection.type)
  if (begins !== 'anyone') fail('ERR_CHANNEL_CANNOT')
  const start = new Date(form.start)
  requireDate(ctx, start)
  if (form.template)
    await usableTemplate(ctx, { channel: connection.type, connection_id: connection.id }, form.template)
  const texts = [form.message1, form.message2, form.message3].map((body, n) => ({ body, weight: form.weights[n]! }))
  for (const [index, { body }] of texts.entries())
    if (body.length > maxTextLength)
      fail('ERR_VALIDATION', { [`message${index + 1}`]: `Use no máximo ${maxTextLength} caracteres neste canal.` })
  const named = await findNamed(ctx.db, form)
  if (form.replyQueueId !== null && !named.queue) fail('ERR_NO_QUEUE_FOUND')
  if (form.replyTagId !== null && !named.tag) fail('ERR_NO_TAG_FOUND')
  if (form.replyFlowId !== null) required(await findChatFlow(ctx.db, form.replyFlowId), 'ERR_NO_CHAT_FLOW_FOUND')
  if (form.followUp?.template)
    await usableTemplate(ctx, { channel: connection.type, connection_id: connection.id }, form.followUp.template)
  const [file] = files
  if (file && !carried[typeOfMime(file.mime)]) fail('ERR_FILE_NOT_CARRIED')
  return {
    ...{ name: form.name, start_at: start, connection_id: connection.id, delay: form.delay },
    messages: JSON.stringify(form.template ? [] : texts.filter(({ body }) => body !== '')),
    template: form.template && JSON.stringify(form.template),
    ...{ window_start: form.windowStart, window_end: form.windowEnd, weekdays: JSON.stringify(form.weekdays) },
    ...{
      skips_holidays: form.skipsHolidays,
      purpose: form.purpose,
      per_week: form.perWeek,
      skips_open: form.skipsOpen,
    },
    ...{ reply_queue_id: form.replyQueueId, reply_tag_id: form.replyTagId, reply_flow_id: form.replyFlowId },
    ...{ recurrence: form.recurrence, follow_up: form.followUp && JSON.stringify(form.followUp) },
    ...(file ? { file_id: await storeUpload(ctx, file) } : form.removeFile ? { file_id: null } : {}),
  }
}

/** Fails if a campaign would begin before today. */
function requireDate({ now, settings }: Pick<Ctx, 'now' | 'settings'>, start: Date): void {
  const zone = settings.timezone
  if (dayIn(zone, start.getTime()) < dayIn(zone, now.getTime())) fail('ERROR_CAMPAIGN_DATE_NOT_VALID')
}

const tomorrow = ({ now }: Pick<Ctx, 'now'>): Date => new Date(now.getTime() + 24 * 3_600_000)
