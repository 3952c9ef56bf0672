import type { Arrived, OpenContactEnd } from '#test/channels/contact-end.ts'
import { pictureOf } from '#test/channels/picture-check.ts'
import { metaCompany } from '#test/meta-company.ts'
import { startMeta } from '#test/peers/meta/graph.ts'

/** Opens a contact who writes to a company's page, or to its Instagram account. */
export const openDirect =
  (type: 'instagram' | 'messenger'): OpenContactEnd =>
  async (product, company) => {
    const now = () => product.platform.now().getTime()
    const meta = await startMeta(now)
    const { direct, address } = meta
    const service = type === 'messenger' ? 'page' : 'instagram'
    const { id: connectionId, start } = await metaCompany(product, meta, { ...company }, { type })
    await start()
    const picture = direct.link(await pictureOf('#d02010'), 'image/jpeg')
    const person = { id: '7700112233', name: 'Otávio Lima', picture }
    const act = (what: object) => direct.push(service, { ...direct.inbound(service, person.id), ...what })
    let reactions = 0
    return {
      connectionId,
      async write({ payload, file }, quotes) {
        const message = structuredClone(payload) as { attachments?: { payload: { url: string } }[] }
        const link = file && direct.link(Buffer.from(file.base64, 'base64'), file.mime, file.name)
        if (link) message.attachments![0]!.payload.url = `${address}/links/${link}`
        await direct.write(service, person, { ...message, ...(quotes ? { reply_to: { mid: quotes } } : {}) })
      },
      arrived: async () =>
        direct.taken.map(({ mid, message }): Arrived => {
          const { text = '', attachment, quick_replies: replies } = message!
          const file = attachment && direct.files.get(attachment.payload.attachment_id)
          return {
            ...{ id: mid, body: text, quotes: null },
            data: replies ? { buttons: replies.map(({ payload: id, title }) => ({ id, text: title })) } : null,
            file: file ? { name: null, bytes: file.bytes } : null,
          }
        }),
      async confirm(status, mid) {
        if (status === 'delivered' && service === 'page') return act({ delivery: { mids: [mid], watermark: now() } })
        if (status === 'read') await act({ read: service === 'page' ? { watermark: now() + 1000 } : { mid } })
      },
      seesTyping: () => false,
      changes: async (mid) => ({ body: null, reaction: direct.reactions.get(mid) ?? null }),
      async act({ providerId }, what) {
        const timestamp = now() + ++reactions
        if (what.act === 'react') {
          const shown = what.reaction ? { action: 'react', emoji: what.reaction } : { action: 'unreact' }
          await act({ timestamp, reaction: { mid: providerId, reaction: 'other', ...shown } })
        }
        if (what.act === 'press') {
          const { message } = direct.taken.find(({ mid }) => mid === providerId)!
          const { title, payload } = message!.quick_replies!.find((one) => one.payload === what.buttonId)!
          const pressed = { text: title, quick_reply: { payload }, reply_to: { mid: providerId } }
          await direct.write(service, person, pressed, `m_press_${payload}`)
        }
      },
      comment: async (text) => void (await direct.comment({ id: person.id, username: 'otavio' }, text)),
      silentFor: (ms) => void Object.assign(direct.people.get(person.id)!, { last: now() - ms }),
      loseAnswer(body) {
        meta.state.lostBody = body
      },
      tellOfLost(body) {
        const { mid, message } = direct.taken.find((one) => one.message?.text === body)!
        return direct.echo(service, person.id, {
          ...{ ...message, mid },
          ...(service === 'page' ? {} : { metadata: undefined }),
        })
      },
      knows: { name: person.name },
      close: meta.close,
    }
  }
