import { buffer } from 'node:stream/consumers'
import {
  buttonTexts,
  sentTemplate,
  templateProblems,
  templateText,
  variablesOf,
  whyNotUsable,
} from '#domain/message-templates/template.ts'
import { typeOfMime } from '#domain/messages/types.ts'
import { present } from '#domain/present.ts'
import { findConnection } from '#features/connections/server/index.ts'
import { adapterOf } from '#features/ledger/server/ports/index.ts'
import type { Returned } from '#kit/contract.ts'
import { fail, required } from '#kit/errors.ts'
import { capabilitiesOf } from '#providers/channels/configs.ts'
import { isSendFailure, type ProviderTemplate, type TemplateDesk } from '#providers/channels/port.ts'
import { unit } from '#server/context.ts'
import { storeUpload } from '#server/files/store.ts'
import { implement, type SlowCtx } from '#server/http/route.ts'
import { messageTemplates } from '../contract.ts'
import { findTemplate, narrowed, type TemplateRecord, templateRows } from './queries.ts'
import { keeper, publish, saveTemplate, syncTemplates } from './sync.ts'

/** Routes of message templates. */
export const templateRoutes = implement(messageTemplates, {
  list: async (ctx, { query: { whatsappId, isUsable, ...query } }) => {
    const { rows, page } = await templateRows.list(ctx.db, query, narrowed(whatsappId, isUsable))
    return { items: rows.map(shown), ...page }
  },
  get: async (ctx, { params }) => shown(required(await templateRows.find(ctx.db, params.id), 'ERR_NO_TEMPLATE_FOUND')),
  create: async (ctx, { body: { whatsappId, ...form } }) => {
    const desk = await deskOf(ctx, whatsappId)
    await requireNew(ctx, whatsappId, form)
    const made = await asked(desk.create(form))
    const row = await saved(ctx, whatsappId, { ...form, ...made, quality: null, reason: '' })
    if (form.code) await readText(ctx, whatsappId)
    return row
  },
  update: async (ctx, { params: { id }, body }) => {
    const before = await find(ctx, id)
    if (before.content.isForeign) fail('ERR_TEMPLATE_PROVIDER', { reason: FOREIGN })
    const form = { ...body, name: before.name, language: before.language }
    await asked((await deskOf(ctx, before.connectionId)).edit(before.providerId, form))
    const { quality, providerId } = before
    const row = await saved(ctx, before.connectionId, {
      ...(form.code ? { ...before.content, ...form, body: before.content.body } : form),
      ...{ id: providerId, quality, status: 'PENDING', reason: '' },
    })
    if (form.code) await readText(ctx, before.connectionId)
    return row
  },
  remove: async (ctx, { params: { id } }) => {
    const { connectionId, providerId, name } = await find(ctx, id)
    await asked((await deskOf(ctx, connectionId)).remove({ id: providerId, name }))
    await unit(ctx.platform, ctx, async (within) => {
      await templateRows.remove(within.db, id)
      publish(within, connectionId)
    })
    return { message: 'ok' }
  },
  sync: async (ctx, { body: { whatsappId } }) => {
    await requireTemplates(ctx, whatsappId)
    return { count: await asked(syncTemplates(ctx.platform, ctx.tenantId, whatsappId)) }
  },
  test: async (ctx, { params: { id }, body: { number, values }, files: [file] }) => {
    await ctx.platform.limits.use('providerTest', `${ctx.tenantId} template`)
    const { connectionId, content, name, language, status } = await find(ctx, id)
    const template = { ...content, name, language, status }
    const reason = whyNotUsable(template)
    if (reason) fail('ERR_TEMPLATE_REFUSED', { template: reason })
    const problems = templateProblems(template, values, file ? typeOfMime(file.mime) : null)
    if (Object.keys(problems).length > 0) fail('ERR_TEMPLATE_REFUSED', problems)
    const adapter = await adapterOf(ctx.platform, ctx.tenantId, connectionId)
    // No message refers to the file, so that it is removed with unused files.
    const fileId = file && (await unit(ctx.platform, ctx, (within) => storeUpload(within, file)))
    const buttons = buttonTexts(template).map((text, index) => ({ id: String(index), text }))
    const message = {
      ...{ tenantId: ctx.tenantId, connectionId, conversationKey: number, messageId: crypto.randomUUID() },
      ...{
        type: 'template' as const,
        body: templateText(template, values),
        file: file && fileId ? { ...file, id: fileId, durationMs: null, waveform: null } : null,
        quotedProviderId: null,
        quoted: null,
      },
      ...{
        data: { template: sentTemplate(template, values), buttons },
        isForwarded: false,
        album: null,
        mentions: null,
      },
      ...{ userName: null, timestamp: ctx.now.getTime(), isAutomatic: false, isHumanAgent: false, commentId: null },
    } as const
    await asked(adapter.send(message))
    return { message: 'ok' }
  },
  sample: async (ctx, { body: { whatsappId }, files: [file] }) => {
    const desk = await deskOf(ctx, whatsappId)
    if (!file) return fail('ERR_FILE_TYPE')
    const bytes = await buffer(ctx.platform.storage.open(file))
    return { handle: await asked(desk.sample({ name: file.name, mime: file.mime, bytes })) }
  },
})

function shown({
  connectionId,
  providerId: _,
  content,
  ...row
}: TemplateRecord): Returned<typeof messageTemplates.get> {
  const { isForeign, ...parts } = content
  const problem = whyNotUsable({ status: row.status, isForeign })
  return {
    ...row,
    ...parts,
    buttons: [...parts.buttons],
    whatsappId: connectionId,
    problem,
    isForeign: isForeign ?? false,
    variables: variablesOf(content),
  }
}

const find = (ctx: SlowCtx, id: number): Promise<TemplateRecord> =>
  ctx.platform.db
    .read(ctx.tenantId, (db) => templateRows.find(db, id))
    .then((row) => required(row, 'ERR_NO_TEMPLATE_FOUND'))

// The text of one that brings a code is the provider's.
const readText = (ctx: SlowCtx, connectionId: number): Promise<void> =>
  unit(ctx.platform, ctx, async (within) => keeper.connected(within, connectionId))

async function requireNew(ctx: SlowCtx, connectionId: number, { name, language }: { name: string; language: string }) {
  const known = await ctx.platform.db.read(ctx.tenantId, (db) => findTemplate(db, { connectionId, name, language }))
  if (known) fail('ERR_DUPLICATED', { name: 'Já há um modelo com este nome neste idioma.' })
}

// Throws unless the channel supports templates; some channels can only list them.
async function requireTemplates({ platform, tenantId }: SlowCtx, connectionId: number): Promise<void> {
  const row = await platform.db.read(tenantId, (db) => findConnection(db, connectionId))
  if (!capabilitiesOf(required(row, 'ERR_NO_WAPP_FOUND').type).templates) fail('ERR_CHANNEL_CANNOT')
}

async function deskOf({ platform, tenantId }: SlowCtx, connectionId: number): Promise<TemplateDesk> {
  const desk = (await adapterOf(platform, tenantId, connectionId)).templates
  return desk ?? fail('ERR_CHANNEL_CANNOT')
}

// Converts a provider's refusal to an error with the adapter's text.
const asked = <T>(work: Promise<T>): Promise<T> =>
  work.catch((error: unknown) => {
    if (!isSendFailure(error)) throw error
    const { message: reason } = error
    return fail('ERR_TEMPLATE_PROVIDER', { reason: reason.startsWith('ERR_') ? OFFLINE : reason })
  })

const OFFLINE = 'O canal está desconectado. Inicie-o antes.'

const FOREIGN = 'O modelo tem partes que não são escritas por aqui. Altere-o no provedor.'

const saved = (ctx: SlowCtx, connectionId: number, template: ProviderTemplate) =>
  unit(ctx.platform, ctx, async (within) => {
    const id = await saveTemplate(within, connectionId, { template, asked: ctx.now })
    return shown(present(await templateRows.find(within.db, id)))
  })
