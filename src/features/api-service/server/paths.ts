import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { fieldIn, textFieldIn } from '#domain/keys.ts'
import { AppError, fail } from '#kit/errors.ts'
import { id, text } from '#kit/fields.ts'
import { withBytes, withFetched } from '#server/files/fetched.ts'
import { readInput } from '#server/http/answer-error.ts'
import { operate, type RawInput } from '#server/http/operate.ts'
import type { Route } from '#server/http/route.ts'
import { withUpload } from '#server/http/uploads.ts'
import type { Platform } from '#server/platform.ts'
import type { StoredFile } from '#server/storage.ts'
import { type Program, programOf } from './asking.ts'
import { send, type Wanted } from './send.ts'

/** Environment of the external API's handlers. */
type Env = { readonly platform: Platform; readonly routes: ReadonlyMap<string, Route>; readonly program: Program }

/** Path of the external API: its input and handler; `upload` if it accepts a file. */
export type ExternalPath<S extends z.ZodType = z.ZodType> = {
  readonly path: string
  readonly method: 'GET' | 'POST'
  readonly summary: string
  readonly body: S
  readonly example: object
  readonly upload?: boolean
  run(env: Env, body: z.output<S>, file: StoredFile | null): Promise<unknown>
}
const external = <S extends z.ZodType>(path: ExternalPath<S>): ExternalPath => path

const FILE_BYTES = 100 * 1024 * 1024

// Programs write numbers as numbers and as texts.
const loose = (most: number) => z.union([z.string(), z.number()]).transform(String).pipe(text(most, 1))
const number = loose(60)
const externalKey = z
  .union([z.string(), z.number()])
  .transform(String)
  .pipe(text(120))
  .transform((value) => value || undefined)
  .optional()
const texts = text(65_536)
const url = text(4000, 1)
const common = { number, externalKey }

const message = z.object({ ...common, body: texts.default('') })
const link = z.object({ ...common, body: texts.default(''), mediaUrl: url })

const tenantOf = ({ program }: Env) => program.actor.tenantId
const requireText = (body: string, file: unknown) =>
  file || body !== '' ? undefined : fail('ERR_VALIDATION', { body: 'Escreva a mensagem.' })

async function sendLink(
  env: Env,
  path: string,
  { mediaUrl, ...rest }: z.output<typeof link>,
  more: Partial<Wanted> = {},
) {
  const wanted = { ...rest, ...more }
  return withFetched(env.platform, tenantOf(env), mediaUrl, (file) =>
    send(env.platform, env.program, path, wanted, file),
  )
}

const call = ({ platform, routes, program }: Env, name: string, raw: RawInput, key?: string) =>
  operate(platform, routes.get(name)!, { actor: program.actor, by: { method: 'api' }, info: program.info }, () => raw, {
    key,
  })

// Fields of responses that are read here; others pass unchanged.
const ofId = z.looseObject({ id: z.number() })
const contact = ofId.extend({ tags: z.array(ofId) })
const ticket = ofId.extend({ contactId: z.number(), status: z.string() })
const tag = ofId.extend({ tag: z.string() })

const contactOf = async (env: Env, given: string) =>
  contact.parse(await call(env, 'contacts.byNumber', { params: { number: given } }))
/** Finds the contact of a number; null if unknown. */
const knownContact = (env: Env, given: string) =>
  contactOf(env, given).catch((error: unknown) => {
    if (error instanceof AppError && error.code === 'ERR_NO_CONTACT_FOUND') return null
    throw error
  })
const ticketsOf = async (env: Env, given: string) => {
  const { id: contactId } = await contactOf(env, given)
  const page = await call(env, 'tickets.ofContact', { params: { contactId }, query: {} })
  return z.object({ tickets: z.array(ticket) }).parse(page).tickets
}
/** Finds a tag by id, or by name regardless of case. */
async function tagOf(env: Env, given: string): Promise<z.output<typeof tag>> {
  if (/^\d{1,15}$/.test(given)) return tag.parse(await call(env, 'tags.get', { params: { id: given } }))
  const page = await call(env, 'tags.list', { query: { searchParam: given } })
  const { items } = z.object({ items: z.array(tag) }).parse(page)
  return items.find((one) => one.tag.toLowerCase() === given.toLowerCase()) ?? fail('ERR_NO_TAG_FOUND')
}
const ticketId = id
const byNumber = z.object({ number })

/** Paths of the external API (product facts 13.2), below `/v2/api/external/{apiId}`. */
export const externalPaths: readonly ExternalPath[] = [
  external({
    ...{
      path: '/',
      method: 'POST',
      summary: 'Enviar um texto, ou um arquivo por formulário (campo medias)',
      upload: true,
    },
    body: message,
    example: { number: '11 91234-5678', body: 'Seu pedido saiu para entrega.', externalKey: 'pedido-1001' },
    run: ({ platform, program }, body, file) => {
      requireText(body.body, file)
      return send(platform, program, '/', body, file)
    },
  }),
  external({
    ...{
      path: '/params',
      method: 'GET',
      summary: 'Enviar um texto pelo endereço; o token vai em token, se a chave permitir',
    },
    body: message,
    example: { number: '11912345678', body: 'Olá', externalKey: 'aviso-7' },
    run: ({ platform, program }, body) => {
      requireText(body.body, null)
      return send(platform, program, '/', body, null)
    },
  }),
  external({
    ...{ path: '/url', method: 'POST', summary: 'Enviar um arquivo que está num endereço' },
    body: link,
    example: { number: '11912345678', mediaUrl: 'https://exemplo.com.br/boleto.pdf', body: 'Seu boleto' },
    run: (env, body) => sendLink(env, '/url', body),
  }),
  external({
    ...{ path: '/groupMediaUrl', method: 'POST', summary: 'Enviar a um grupo um arquivo que está num endereço' },
    body: link,
    example: { number: '120363000000000000@g.us', mediaUrl: 'https://exemplo.com.br/aviso.png', body: '' },
    run: (env, body) => sendLink(env, '/groupMediaUrl', body, { isGroup: true }),
  }),
  external({
    ...{ path: '/base64', method: 'POST', summary: 'Enviar um arquivo escrito em base64 (até cerca de 1,5 MB)' },
    body: z.object({
      ...{ ...common, body: texts.default(''), base64Data: text(3_000_000, 1) },
      ...{ mimeType: text(200).default(''), fileName: text(200).default('arquivo') },
    }),
    example: { number: '11912345678', base64Data: 'SGVsbG8=', mimeType: 'text/plain', fileName: 'nota.txt', body: '' },
    run: ({ platform, program }, { base64Data, mimeType: _, fileName, ...wanted }) => {
      const bytes = Buffer.from(base64Data.replace(/^data:[^,]*,/, ''), 'base64')
      if (bytes.length === 0) fail('ERR_VALIDATION', { base64Data: 'Não é um arquivo em base64.' })
      const name = fileName || 'arquivo'
      return withBytes(platform, program.actor.tenantId, { bytes, name }, (file) =>
        send(platform, program, '/base64', wanted, file),
      )
    },
  }),
  external({
    ...{ path: '/voice', method: 'POST', summary: 'Enviar um áudio como mensagem de voz' },
    body: z.object({ ...common, audio: url }),
    example: { number: '11912345678', audio: 'https://exemplo.com.br/recado.ogg' },
    run: ({ platform, program }, { audio, ...rest }) =>
      withFetched(platform, program.actor.tenantId, audio, (file) =>
        send(platform, program, '/voice', { ...rest, body: '' }, file, true),
      ),
  }),
  external({
    ...{ path: '/group', method: 'POST', summary: 'Enviar um texto ou arquivo a um grupo', upload: true },
    body: message,
    example: { number: '120363000000000000@g.us', body: 'Reunião às 15h.' },
    run: ({ platform, program }, body, file) => {
      requireText(body.body, file)
      return send(platform, program, '/group', { ...body, isGroup: true }, file)
    },
  }),
  external({
    ...{ path: '/createTicket', method: 'POST', summary: 'Enviar e abrir um atendimento', upload: true },
    body: message,
    example: { number: '11912345678', body: 'Podemos ajudar?' },
    run: ({ platform, program }, body, file) => {
      requireText(body.body, file)
      return send(platform, program, '/createTicket', { ...body, opensTicket: true }, file)
    },
  }),
  external({
    ...{ path: '/createContact', method: 'POST', summary: 'Criar um contato' },
    body: z.object({
      ...{ name: text(120, 1), number, externalKey },
      ...{ email: text(254).optional(), cpf: text(24).optional(), firstName: text(80).optional() },
      ...{ lastName: text(80).optional(), businessName: text(120).optional(), birthdayDate: text(10).optional() },
    }),
    example: { name: 'Carla Souza', number: '11912345678', email: 'carla@exemplo.com.br', externalKey: 'cliente-42' },
    run: async (env, { externalKey: key, ...body }) => {
      const known = async () => (key === undefined ? null : knownContact(env, body.number))
      const made = () =>
        call(env, 'contacts.create', { body }).catch(async (error: unknown) => {
          // Another request was quicker.
          const other = await known()
          if (other) return other
          throw error
        })
      return { ...ofId.parse((await known()) ?? (await made())), externalKey: key ?? null }
    },
  }),
  external({
    ...{ path: '/updatequeue', method: 'POST', summary: 'Passar um atendimento para uma fila' },
    body: z.object({ ticketId, queueId: id.nullable() }),
    example: { ticketId: 1001, queueId: 3 },
    run: (env, { ticketId: one, queueId }) => call(env, 'tickets.update', { params: { id: one }, body: { queueId } }),
  }),
  external({
    ...{ path: '/updateticketinfo', method: 'POST', summary: 'Mudar situação, pessoa ou fila de um atendimento' },
    body: z.object({
      ticketId,
      ...{ status: z.enum(['open', 'pending', 'closed']).optional(), userId: id.nullable().optional() },
      queueId: id.nullable().optional(),
    }),
    example: { ticketId: 1001, status: 'closed' },
    run: (env, { ticketId: one, ...body }) => call(env, 'tickets.update', { params: { id: one }, body }),
  }),
  external({
    ...{
      path: '/updatetag',
      method: 'POST',
      summary: 'Pôr uma etiqueta no contato de um atendimento, por nome ou número',
    },
    body: z.object({ ticketId, tag: loose(60) }),
    example: { ticketId: 1001, tag: 'VIP' },
    run: async (env, { ticketId: one, tag: named }) => {
      const { contactId } = ticket.parse(await call(env, 'tickets.get', { params: { id: one } }))
      const wanted = await tagOf(env, named)
      const has = contact.parse(await call(env, 'contacts.get', { params: { id: contactId } }))
      const tags = [...new Set([...has.tags.map((row) => row.id), wanted.id])]
      return call(env, 'contacts.setTags', { params: { id: contactId }, body: { tags } })
    },
  }),
  external({
    ...{ path: '/showticket', method: 'POST', summary: 'O atendimento mais recente de um número' },
    body: byNumber,
    example: { number: '11912345678' },
    run: async (env, { number: given }) => {
      const [latest] = await ticketsOf(env, given)
      return latest ? call(env, 'tickets.get', { params: { id: latest.id } }) : fail('ERR_NO_TICKET_FOUND')
    },
  }),
  external({
    ...{ path: '/showallticket', method: 'POST', summary: 'Os atendimentos de um número, do mais novo ao mais antigo' },
    body: byNumber,
    example: { number: '11912345678' },
    run: async (env, { number: given }) => ({ tickets: await ticketsOf(env, given) }),
  }),
  external({
    ...{ path: '/showticketchatbot', method: 'POST', summary: 'Em que fluxo está o atendimento de um número' },
    body: byNumber,
    example: { number: '11912345678' },
    run: async (env, { number: given }) => {
      const live = (await ticketsOf(env, given)).find(({ status }) => status !== 'closed')
      if (!live) return fail('ERR_NO_TICKET_FOUND')
      const detail = ofId.parse(await call(env, 'tickets.get', { params: { id: live.id } }))
      const { id: one, status, chatFlowId, stepChatFlow, botRetries } = detail
      return { ticketId: one, status, chatFlowId, stepChatFlow, botRetries }
    },
  }),
  external({
    ...{ path: '/showChannel', method: 'POST', summary: 'O canal pelo qual a chave envia' },
    body: z.object({ number: number.optional() }),
    example: {},
    run: async (env) => {
      const all = await call(env, 'connections.list', { query: {} })
      const { connections } = z.object({ connections: z.array(ofId) }).parse(all)
      return connections.find((one) => one.id === env.program.key.connection_id) ?? fail('ERR_NO_WAPP_FOUND')
    },
  }),
  external({
    ...{ path: '/showAllMessages', method: 'POST', summary: 'As mensagens de um atendimento, por páginas' },
    body: z.object({ ticket: ticketId, cursor: text(500).optional() }),
    example: { ticket: 1001 },
    run: (env, { ticket, cursor }) =>
      call(env, 'messages.list', { params: { ticketId: ticket }, query: cursor ? { cursor } : {} }),
  }),
]

/** Answers a request to a path of the external API. */
export async function answerExternal(
  platform: Platform,
  routes: ReadonlyMap<string, Route>,
  one: ExternalPath,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<unknown> {
  const { params, query } = request
  const apiId = textFieldIn(params, 'apiId')
  const token = fieldIn(query, 'token')
  const queryToken = one.method === 'GET' && typeof token === 'string' ? token : undefined
  const program = await programOf(platform, request, reply, { apiId, queryToken })
  const run = (given: unknown, file: StoredFile | null) =>
    one.run({ platform, routes, program }, readInput(one.body, given), file)
  if (one.method === 'GET') return run(query, null)
  if (!request.isMultipart()) return run(request.body ?? {}, null)
  if (!one.upload) return fail('ERR_VALIDATION', { pedido: 'Envie os dados em JSON.' })
  const limits = { tenantId: program.actor.tenantId, maxFiles: 1, maxBytes: FILE_BYTES }
  return withUpload(platform, request, limits, (fields, [file = null]) => run(fields, file))
}
