import type { MessageData } from '#domain/messages/data.ts'
import type { Arrived, OpenContactEnd } from '#test/channels/contact-end.ts'
import { channelSuite } from '#test/channels/suite.ts'
import { metaCompany } from '#test/meta-company.ts'
import { startMeta, type Taken } from '#test/peers/meta/graph.ts'
import type { Interactive } from '#test/peers/meta/interactive.ts'
import { metaConfig } from './config.ts'

type Card = { name: { formatted_name: string }; phones: { phone: string }[] }

/** Returns the data of a message as the contact's phone shows it. */
function dataOf({ contacts, location, interactive }: Taken): MessageData | null {
  const [card] = (contacts as Card[] | undefined) ?? []
  if (card) return { fullName: card.name.formatted_name, phoneNumber: card.phones[0]!.phone }
  if (interactive) return shownAs(interactive)
  return (location as MessageData | undefined) ?? null
}

function shownAs({ header, footer, action }: Interactive): MessageData | null {
  const frame = { ...(header ? { header: header.text } : {}), ...(footer ? { footer: footer.text } : {}) }
  const { button, buttons, sections, parameters } = action
  if (buttons) return { ...frame, buttons: buttons.map(({ reply }) => ({ id: reply.id, text: reply.title })) }
  if (sections) return { ...frame, list: { button: button!, sections } }
  if (!parameters) return null
  const { display_text: text, url, flow_cta, flow_id } = parameters
  return url ? { ...frame, link: { text: text!, url } } : { ...frame, form: { text: flow_cta!, formId: flow_id! } }
}

const person = { number: '5519998124407', name: 'Otávio' }

/** Person with a WhatsApp who writes to a number of the Cloud API. */
const openNumber: OpenContactEnd = async (product, company) => {
  const meta = await startMeta(() => product.platform.now().getTime())
  const { id: connectionId, start } = await metaCompany(product, meta, { ...company })
  const { id } = meta.templates.approve({ name: 'volta', components: [{ type: 'BODY', text: 'Podemos continuar?' }] })
  await start()
  let reactions = 0
  const messageOf = ({ file: _, payload }: Parameters<Awaited<ReturnType<OpenContactEnd>>['write']>[0]) =>
    structuredClone(payload) as { type: string } & Record<string, Record<string, unknown>>
  return {
    connectionId,
    async write(recorded, quotes) {
      const message = messageOf(recorded)
      const { file } = recorded
      if (file) message[message.type]!['id'] = meta.store(Buffer.from(file.base64, 'base64'), file.mime)
      await meta.write(person, { ...message, ...(quotes ? { context: { id: quotes, from: meta.app.display } } : {}) })
    },
    arrived: async () =>
      meta.taken
        .filter(({ type }) => type !== 'reaction')
        .map((one): Arrived => {
          const part = one[one.type] as { id?: string; caption?: string; filename?: string; voice?: true }
          const file = part.id ? meta.media.get(part.id) : undefined
          return {
            id: one.wamid,
            body: one.text?.body ?? one.interactive?.body.text ?? part.caption ?? '',
            quotes: one.context?.message_id ?? null,
            data: dataOf(one),
            asksLocation: one.interactive?.type === 'location_request_message',
            file: file ? { name: part.filename ?? null, bytes: file.bytes } : null,
            voice: part.voice ?? null,
            isSticker: one.type === 'sticker',
          }
        }),
    confirm: (status, wamid) => meta.confirm(status, wamid),
    seesTyping: () => false,
    loseAnswer(body) {
      meta.state.lostBody = body
    },
    async tellOfLost(body) {
      const { wamid, biz_opaque_callback_data } = meta.taken.find(({ text }) => text?.body === body)!
      await meta.confirm('sent', wamid, { biz_opaque_callback_data })
    },
    async changes(wamid) {
      const reaction = meta.taken.findLast(({ reaction: one }) => one?.message_id === wamid)?.reaction?.emoji
      return { body: null, reaction: reaction || null }
    },
    async act({ providerId }, what) {
      if (what.act === 'react') {
        const emoji = what.reaction ? { emoji: what.reaction } : {}
        // Meta's timestamps have whole seconds, so each reaction gets its own.
        const timestamp = String(Math.floor(product.platform.now().getTime() / 1000) + ++reactions)
        await meta.write(person, { type: 'reaction', timestamp, reaction: { message_id: providerId, ...emoji } })
      }
      if (what.act === 'press') {
        const { action } = meta.taken.find(({ wamid }) => wamid === providerId)!.interactive!
        const replies = action.buttons?.map(({ reply }) => reply)
        const row = action.sections?.flatMap(({ rows }) => rows).find(({ id }) => id === what.buttonId)
        const interactive = row
          ? { type: 'list_reply', list_reply: row }
          : { type: 'button_reply', button_reply: replies?.find(({ id }) => id === what.buttonId) }
        const context = { id: providerId, from: meta.app.display }
        await meta.write(person, { type: 'interactive', interactive, context }, `wamid.${what.buttonId}${providerId}`)
      }
    },
    knows: {
      templates: [
        {
          ...{
            id,
            name: 'volta',
            language: 'pt_BR',
            category: 'UTILITY',
            status: 'APPROVED',
            quality: 'GREEN',
            reason: '',
          },
          ...{ format: 'POSITIONAL', header: null, body: 'Podemos continuar?', samples: {}, footer: '', buttons: [] },
        },
      ],
    },
    close: meta.close,
  }
}

channelSuite(metaConfig, import.meta.dirname, openNumber)
