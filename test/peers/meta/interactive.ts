import { Refused } from './refused.ts'

type Row = { id: string; title: string; description?: string }
type Parameters = Readonly<Record<string, string | undefined>>

/** An interactive message as it is sent (Cloud API, `interactive`). */
export type Interactive = {
  type: string
  header?: { type: string; text: string }
  body: { text: string }
  footer?: { text: string }
  action: {
    name?: string
    button?: string
    buttons?: { reply: { id: string; title: string } }[]
    sections?: { title?: string; rows: Row[] }[]
    parameters?: Parameters
  }
}

const has = (text: string | undefined, most: number): boolean =>
  text !== undefined && text.length >= 1 && text.length <= most
const mayHave = (text: string | undefined, most: number): boolean => text === undefined || has(text, most)
const areUnique = (all: readonly string[]): boolean => new Set(all).size === all.length

const isFine: Readonly<Record<string, (action: Interactive['action']) => boolean>> = {
  button({ buttons = [] }) {
    const titles = buttons.map(({ reply }) => reply.title)
    const isEach = buttons.every(({ reply }) => has(reply.title, 20) && has(reply.id, 256))
    return buttons.length >= 1 && buttons.length <= 3 && isEach && areUnique(titles)
  },
  list({ button, sections = [] }) {
    const rows = sections.flatMap((section) => section.rows)
    const areNamed = sections.every(({ title }) => (sections.length > 1 ? has(title, 24) : mayHave(title, 24)))
    const isEach = rows.every((row) => has(row.id, 200) && has(row.title, 24) && mayHave(row.description, 72))
    const isCount = rows.length >= 1 && rows.length <= 10 && sections.every((section) => section.rows.length >= 1)
    return has(button, 20) && areNamed && isEach && isCount && areUnique(rows.map(({ id }) => id))
  },
  cta_url: ({ name, parameters: { display_text, url = '' } = {} }) =>
    name === 'cta_url' && has(display_text, 20) && /^https?:\/\/\S+$/.test(url),
  location_request_message: ({ name }) => name === 'send_location',
  flow: ({ name, parameters: { flow_message_version, flow_id = '', flow_cta = '', flow_token } = {} }) =>
    name === 'flow' &&
    flow_message_version === '3' &&
    /^\d+$/.test(flow_id) &&
    has(flow_token, 200) &&
    has(flow_cta, 20) &&
    !/\p{Extended_Pictographic}/u.test(flow_cta),
}

/** Throws if Meta would refuse an interactive message. */
export function checkInteractive({ type, header, body, footer, action }: Interactive): void {
  const isFramed = mayHave(header?.text, 60) && mayHave(footer?.text, 60) && has(body.text, 1024)
  const mayFrame = type !== 'location_request_message' || (!header && !footer)
  if (!isFramed || !mayFrame || !isFine[type]?.(action)) throw new Refused(131009)
}
