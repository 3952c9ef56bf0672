import { LEAST_DELAY } from '#domain/campaigns/care.ts'
import { hasLines, isOfTemplates, MASS_KINDS, type MassKind } from '#domain/campaigns/mass.ts'
import { TEMPLATE_VARIABLES, unknownVariables } from '#domain/messages/template.ts'
import { typeOfMime } from '#domain/messages/types.ts'
import { readNumbers } from '#features/contacts/server/imports/index.ts'
import { onlyFor } from '#features/contacts/server/index.ts'
import { usableTemplate } from '#features/ledger/server/hooks/index.ts'
import type { Input } from '#kit/contract.ts'
import { fail, required } from '#kit/errors.ts'
import { capabilitiesOf, channelType } from '#providers/channels/configs.ts'
import { type Actor, mayUseConnection } from '#server/actors.ts'
import { type Ctx, unit } from '#server/context.ts'
import { storeUpload } from '#server/files/store.ts'
import { implement, type SlowCtx } from '#server/http/route.ts'
import { ownVariablesOf } from '#server/own-variables.ts'
import { COUNTED, countOf, pageOf, pageStartOf } from '#server/paging.ts'
import type { StoredFile } from '#server/storage.ts'
import { dispatches } from '../mass-contract.ts'
import { MOST_LINES } from '../mass-forms.ts'
import { addRecipients } from './mass-recipients.ts'
import { withMedia } from './media.ts'
import { dispatchOf, moved, requireMove, written } from './moves.ts'
import { pageOfDispatches, pageOfItems } from './pages.ts'
import { planDispatch } from './plan.ts'
import { findByIdFront, insertOnce, updateDispatch } from './queries.ts'
import { countGroups, listGroups } from './queries-groups.ts'
import { connectionsOf, retryFailed, skipWaiting } from './queries-items.ts'
import { findConnection, type KnownConnection } from './queries-turn.ts'
import { serializeCampaign } from './stored.ts'
import { enqueueTurn } from './turn.ts'

type UserCtx = Ctx & { user: Actor }
type Form = Input<typeof dispatches.create>['body']

const KINDS: readonly string[] = MASS_KINDS

/** Default names of dispatches by kind. */
const NAMES: Readonly<Record<MassKind, string>> = {
  text: 'Disparo em massa',
  text_variable: 'Disparo com variáveis',
  template: 'Disparo de modelo',
  template_variable: 'Disparo de modelo com variáveis',
  sms: 'Disparo de SMS',
}

/** Routes of messages to lists. */
export const massRoutes = implement(dispatches, {
  list: (ctx, { query }) => pageOfDispatches(ctx, { kind: query.kind, statuses: null, search: null }, query),
  get: async (ctx, { params }) => serializeCampaign(ctx, await dispatchOf(ctx, params.id, KINDS)),
  create: (ctx, { body, files }) =>
    withMedia(ctx, body, files, (media) =>
      unit(ctx.platform, ctx, async (inner) => {
        const id = await store({ ...inner, user: ctx.user }, body, media)
        if (id === null) return serializeCampaign(inner, await dispatchOf(inner, await knownAs(inner, body), KINDS))
        const answer = await written(inner, id, 'create', KINDS)
        for (const connectionId of await connectionsOf(inner.db, id)) enqueueTurn(inner, connectionId)
        ctx.audit({ after: { name: answer.name, contactsCount: answer.contactsCount } })
        return answer
      }),
    ),
  plan: (ctx, { body }) =>
    undone(ctx, async (inner) => {
      const id = await store(inner, { ...body, idFront: undefined }, [])
      const dispatch = await dispatchOf(inner, required(id, 'ERROR_CAMPAIGN_NOT_EXISTS'), KINDS)
      // Variables were already checked with the lines.
      return { ...(await planDispatch(inner, dispatch)), unknownVariables: [] }
    }),
  lines: async ({ platform }, { files: [file] }) => {
    if (!file) return fail('ERR_VALIDATION', { file: 'Escolha um arquivo.' })
    if (!file.mime.startsWith('text/')) fail('ERR_FILE_TYPE', { file: 'Envie um arquivo CSV.' })
    return readNumbers(platform.storage.waitingAt(file), MOST_LINES)
  },
  groups: async (ctx, { query }) => {
    const { sessionIds = [], searchParam: search } = query
    const connectionIds = sessionIds.filter((id) => mayUseConnection(ctx.user, ctx.settings, id))
    const asked = { connectionIds, only: onlyFor(ctx), search }
    const found = await listGroups(ctx.db, asked, pageStartOf<[string, string]>(query, 2))
    const { rows, paging } = pageOf(found, ({ id, sortName }) => [sortName, id])
    return {
      groups: rows.map(({ id, name, connectionId, connectionName }) => ({
        ...{ id, name, sessionId: connectionId, sessionName: connectionName },
      })),
      ...countOf(await countGroups(ctx.db, asked, COUNTED)),
      ...paging,
    }
  },
  pause: async (ctx, { params: { id } }) => {
    await requireMove(ctx, id, 'pause', KINDS)
    return moved(ctx, id, 'pause', KINDS)
  },
  resume: async (ctx, { params: { id } }) => {
    await requireMove(ctx, id, 'resume', KINDS)
    return moved(ctx, id, 'resume', KINDS)
  },
  cancel: async (ctx, { params: { id } }) => {
    const { status } = await dispatchOf(ctx, id, KINDS)
    const move = status === 'scheduled' ? 'cancel' : 'finish'
    await requireMove(ctx, id, move, KINDS)
    await skipWaiting(ctx.db, id, { reason: 'ended', most: null, now: ctx.now })
    return moved(ctx, id, move, KINDS)
  },
  retry: async (ctx, { params: { id } }) => {
    const { status } = await dispatchOf(ctx, id, KINDS)
    if (status !== 'finished' || (await retryFailed(ctx.db, id, ctx.now)) === 0) fail('ERR_CAMPAIGN_STATE')
    await updateDispatch(ctx.db, id, { status: 'processing', finished_at: null }, ctx.now)
    for (const connectionId of await connectionsOf(ctx.db, id)) enqueueTurn(ctx, connectionId)
    return written(ctx, id, 'update', KINDS)
  },
  contacts: async (ctx, { params: { id }, query }) => {
    await dispatchOf(ctx, id, KINDS)
    const { state, replied = false } = query
    const which = {
      dispatchId: id,
      states: state ?? null,
      replied,
      optedOut: false,
      clicked: false,
      variant: null,
      contactIds: null,
    }
    return pageOfItems(ctx, which, query)
  },
})

/** Runs `work` in a transaction that is rolled back; returns its result. */
async function undone<T>(ctx: SlowCtx, work: (inner: UserCtx) => Promise<T>): Promise<T> {
  const undo = new Error('nothing of it is kept')
  const answers: T[] = []
  const transact = unit(ctx.platform, ctx, async (inner): Promise<T> => {
    answers.push(await work({ ...inner, user: ctx.user }))
    throw undo
  })
  return transact.catch((error: unknown) => {
    const answer = answers.at(-1)
    if (error !== undo || answer === undefined) throw error
    return answer
  })
}

const knownAs = async ({ db }: Ctx, { idFront = '' }: Form): Promise<number> =>
  required(await findByIdFront(db, idFront), 'ERROR_CAMPAIGN_NOT_EXISTS')

/** Stores a dispatch with its recipients, to start at once; null if it was requested before. */
async function store(ctx: UserCtx, form: Form, files: readonly StoredFile[]): Promise<number | null> {
  const connections: KnownConnection[] = []
  for (const id of new Set(form.sessionIds)) connections.push(await usable(ctx, id, form))
  const spread = Math.floor((form.max - form.min) / 2)
  const isLinked = connections.some(({ type }) => channelType(type)?.config.isPaced)
  if (isLinked && form.min < LEAST_DELAY) refuse([`Números conectados por QR Code pedem ao menos ${LEAST_DELAY} s.`])
  await requireVariables(ctx, form)
  const [file] = files
  const kind = file && typeOfMime(file.mime)
  if (kind && connections.some(({ type }) => !capabilitiesOf(type).files[kind])) fail('ERR_FILE_NOT_CARRIED')
  const id = await insertOnce(
    ctx.db,
    {
      ...{ kind: form.kind, name: form.name || NAMES[form.kind], status: 'scheduled' },
      ...{ delay: form.min + spread, delay_spread: spread, id_front: form.idFront ?? null },
      ...{ start_at: ctx.now, connection_id: connections[0]!.id, user_id: ctx.user.id, purpose: form.purpose },
      messages: JSON.stringify(form.template ? [] : [{ body: form.message, weight: 1 }]),
      template: form.template && JSON.stringify(form.template),
      file_id: file ? await storeUpload(ctx, file) : null,
      ...{ window_start: '00:00', window_end: '24:00', weekdays: '[0,1,2,3,4,5,6]', skips_holidays: false },
      ...{ per_week: null, skips_open: false, closes_tickets: isOfTemplates(form.kind) && form.closeTicket },
    },
    ctx.now,
  )
  if (id === undefined) return null
  const to = { dispatchId: id, connectionIds: connections.map((one) => one.id) }
  await addRecipients(ctx, to, form)
  if ((await connectionsOf(ctx.db, id)).length === 0) fail('ERR_NO_CAMPAIGN_CONTACTS_NOT_FOUND')
  return id
}

const refuse = (reasons: readonly string[]): never => fail('ERR_CAMPAIGN_PLAN', { reasons: [...reasons] } as never)

/** Returns a connection that the user may send on and that supports the message. */
async function usable(ctx: UserCtx, id: number, { kind, template, message }: Form): Promise<KnownConnection> {
  const connection = await findConnection(ctx.db, id)
  if (!connection || connection.isDeleted) return fail('ERR_NO_WAPP_FOUND')
  if (!mayUseConnection(ctx.user, ctx.settings, id)) fail('ERR_NO_PERMISSION')
  const { begins, smsParts, templates, maxTextLength } = capabilitiesOf(connection.type)
  const isCarried = kind === 'sms' ? smsParts : isOfTemplates(kind) ? templates : !smsParts
  if (begins !== 'anyone' || !isCarried) fail('ERR_CHANNEL_CANNOT')
  if (message.length > maxTextLength)
    fail('ERR_VALIDATION', { message: `Use no máximo ${maxTextLength} caracteres neste canal.` })
  if (template) await usableTemplate(ctx, { channel: connection.type, connection_id: id }, template)
  return connection
}

/** Fails if a text has an unknown variable, or one without a value in some line. */
async function requireVariables({ db }: Ctx, { kind, message, template, lines }: Form): Promise<void> {
  const text = [template ? '' : message, ...Object.values(template?.values ?? {})].join('\n')
  const fewest = hasLines(kind) && lines.length > 0 ? Math.min(...lines.map(({ values }) => values.length)) : 0
  const own = Object.keys((await ownVariablesOf(db, []))(0))
  const inLines = Array.from({ length: fewest }, (_, n) => `var${n + 1}`)
  const unknown = unknownVariables(text, [...Object.keys(TEMPLATE_VARIABLES), ...own, ...inLines])
  if (unknown.length > 0) refuse(unknown.map((name) => `A variável {{${name}}} não tem valor em toda linha.`))
}
