import type { MessageData } from '#domain/messages/data.ts'
import type { InteractiveType } from '#domain/messages/interactive.ts'
import type { Input } from '#kit/contract.ts'
import type { messages } from '../../contract.ts'

type Asked = Input<typeof messages.buttons>['body']
type Special = {
  readonly ticketId: number
  readonly idFront: string | undefined
  readonly mediaType: InteractiveType
  readonly body: string
  readonly data?: MessageData
}

/** Builds an interactive message as it is stored; each button or row gets its own id on the channel. */
export function interactiveOf(asked: Asked): Special {
  const { ticketId, idFront, body } = asked
  const about = { ticketId, idFront, body }
  switch (asked.type) {
    case 'list': {
      const { button, sections } = asked.list
      const given = new Set(sections.flatMap(({ rows }) => rows.map(({ id }) => id)))
      let count = 0
      const nextId = (): string => (given.has(String(++count)) ? nextId() : String(count))
      const numbered = sections.map(({ title, rows }) => ({
        ...(title ? { title } : {}),
        rows: rows.map((row) => ({
          ...{ id: row.id ?? nextId(), title: row.title },
          ...(row.description ? { description: row.description } : {}),
        })),
      }))
      return { ...about, mediaType: 'list', data: { ...framed(asked), list: { button, sections: numbered } } }
    }
    case 'cta_url':
      return { ...about, mediaType: 'cta_url', data: { ...framed(asked), link: asked.link } }
    case 'form':
      return { ...about, mediaType: 'form', data: { ...framed(asked), form: asked.form } }
    case 'location_request':
      return { ...about, mediaType: 'location_request' }
    default: {
      const buttons = asked.buttons.map(({ id, text }, index) => ({ id: id ?? String(index + 1), text }))
      return { ...about, mediaType: 'buttons', data: { ...framed(asked), buttons } }
    }
  }
}

const framed = ({ header, footer }: { header?: string | undefined; footer?: string | undefined }) => ({
  ...(header ? { header } : {}),
  ...(footer ? { footer } : {}),
})
