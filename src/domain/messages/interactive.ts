import { isOneOf, isRecord } from '../keys.ts'
import { buttonsOf, type FormButton, type Frame, type LinkButton, type ListRow, type OptionList } from './data.ts'

/** Maximum number of rows of a list, and maximum length of each of its parts. */
export type ListLimits = {
  readonly rows: number
  readonly title: number
  readonly description: number
  readonly button: number
  readonly section: number
}

/** Limits of a channel for interactive messages; null: unsupported. */
export type InteractiveLimits = {
  readonly buttons: { readonly max: number; readonly chars: number } | null
  readonly list: ListLimits | null
  readonly link: { readonly chars: number } | null
  readonly locationRequest: boolean
  readonly form: { readonly chars: number } | null
}

/** URL that a link button may open. */
export const PAGE_ADDRESS = /^https?:\/\/[^\s/]\S*$/i

/** Types of interactive messages. */
export const INTERACTIVE_TYPES = ['buttons', 'list', 'cta_url', 'location_request', 'form'] as const

/** Type of an interactive message. */
export type InteractiveType = (typeof INTERACTIVE_TYPES)[number]

/** Whether a message is of one of these kinds. */
export const isInteractive = (type: string | undefined): type is InteractiveType => isOneOf(INTERACTIVE_TYPES, type)

/** Maximum lengths of the texts of an interactive message, on every channel (from the Cloud API). */
export const FRAME_LIMITS = { header: 60, body: 1024, footer: 60 } as const

const CAPABILITY = {
  buttons: 'buttons',
  list: 'list',
  cta_url: 'link',
  location_request: 'locationRequest',
  form: 'form',
} as const satisfies Readonly<Record<InteractiveType, keyof InteractiveLimits>>

/** Whether a channel has messages of this kind. */
export const hasInteractive = (limits: InteractiveLimits, type: InteractiveType): boolean =>
  Boolean(limits[CAPABILITY[type]])

/** Returns the list in a message's `data`; null if none. */
export function listOf(data: unknown): OptionList | null {
  const list = isRecord(data) ? data['list'] : null
  return isList(list) ? list : null
}

const isList = (value: unknown): value is OptionList =>
  isRecord(value) && typeof value['button'] === 'string' && Array.isArray(value['sections'])

/** Returns the link in a message's `data`; null if none. */
export function linkOf(data: unknown): LinkButton | null {
  const link = isRecord(data) ? data['link'] : null
  return isLink(link) ? link : null
}

const isLink = (value: unknown): value is LinkButton => isRecord(value) && typeof value['url'] === 'string'

/** Returns the form in a message's `data`; null if none. */
export function formOf(data: unknown): FormButton | null {
  const form = isRecord(data) ? data['form'] : null
  return isForm(form) ? form : null
}

const isForm = (value: unknown): value is FormButton => isRecord(value) && typeof value['formId'] === 'string'

/** Returns header and footer of a message. */
export function frameOf(data: unknown): Frame {
  if (!isRecord(data)) return {}
  const { header, footer } = data
  return { ...(typeof header === 'string' ? { header } : {}), ...(typeof footer === 'string' ? { footer } : {}) }
}

/** Returns all rows of a list, in order. */
export const rowsOf = ({ sections }: OptionList): readonly ListRow[] => sections.flatMap(({ rows }) => rows)

/** Returns the choices of a message with their ids: its buttons, or the rows of its list. */
export function choicesOf(data: unknown): readonly { readonly id: string; readonly text: string }[] {
  const list = listOf(data)
  return list ? rowsOf(list).map(({ id, title }) => ({ id, text: title })) : (buttonsOf(data)?.buttons ?? [])
}

/** Appends a list or link as text to a message's body, for channels that support text only. */
export function interactiveAsText(body: string, data: unknown): string {
  const [list, link] = [listOf(data), linkOf(data)]
  const { header, footer } = frameOf(data)
  const rows = list
    ? rowsOf(list).map(({ title, description }) => `• ${title}${description ? `: ${description}` : ''}`)
    : []
  return [header, body, ...rows, link?.url, footer].filter(Boolean).join('\n')
}

/** Content of an interactive message, to check against a channel's limits. */
export type Interactive = { readonly type: InteractiveType; readonly body: string; readonly data: unknown }

/** Returns the parts of a message that a channel would refuse, by field, with advice; empty if all are accepted. */
export function interactiveProblems(limits: InteractiveLimits, message: Interactive): Record<string, string> {
  const { header, footer } = frameOf(message.data)
  const { body, type, data } = message
  const around = [
    ['header', tooLong(header, FRAME_LIMITS.header)],
    ['body', tooLong(body, FRAME_LIMITS.body)],
    ['footer', tooLong(footer, FRAME_LIMITS.footer)],
  ] as const
  const parts =
    type === 'buttons'
      ? problemsOfButtons(limits, data)
      : type === 'list'
        ? problemsOfList(limits.list, data)
        : [
            ['link.text', tooLong(linkOf(data)?.text, limits.link?.chars)],
            ['form.text', problemOfForm(limits, formOf(data)?.text ?? '')],
          ]
  return Object.fromEntries([...around, ...parts].filter((one): one is [string, string] => one[1] !== null))
}

type Problem = readonly [field: string, problem: string | null]

function problemsOfButtons({ buttons: limits, list }: InteractiveLimits, data: unknown): readonly Problem[] {
  const buttons = buttonsOf(data)?.buttons ?? []
  const max = limits?.max ?? 0
  const instead = list ? ', ou envie uma lista' : ''
  return [
    [
      'buttons',
      buttons.length > max ? `Este canal leva até ${max} botões: tire ${buttons.length - max}${instead}.` : null,
    ],
    ...buttons.map(({ text }, n): Problem => [`buttons.${n}.text`, tooLong(text, limits?.chars)]),
  ]
}

function problemsOfList(limits: ListLimits | null, data: unknown): readonly Problem[] {
  const list = listOf(data)
  if (!list || !limits) return []
  const count = rowsOf(list).length
  const titles = rowsOf(list).map(({ title }) => title.trim().toLowerCase())
  const { rows: max, title, description, button, section } = limits
  return [
    ['list', count > max ? `Este canal leva até ${max} opções em uma lista: tire ${count - max}.` : null],
    ['list.button', tooLong(list.button, button)],
    ...list.sections.flatMap(({ title: name, rows }, s): Problem[] => {
      const at = `list.sections.${s}`
      const isNameless = list.sections.length > 1 && !name?.trim()
      return [
        [`${at}.title`, isNameless ? 'Com mais de uma seção, cada uma precisa de um título.' : tooLong(name, section)],
        ...rows.flatMap((row, r): Problem[] => {
          const own = row.title.trim().toLowerCase()
          const isRepeated = own !== '' && titles.filter((one) => one === own).length > 1
          return [
            [
              `${at}.rows.${r}.title`,
              isRepeated ? 'Já há uma opção com este título: mude um deles.' : tooLong(row.title, title),
            ],
            [`${at}.rows.${r}.description`, tooLong(row.description, description)],
          ]
        }),
      ]
    }),
  ]
}

// Meta permits no emoji on the button of a form.
const problemOfForm = ({ form }: InteractiveLimits, text: string): string | null =>
  /\p{Extended_Pictographic}/u.test(text) ? 'O botão de um formulário não leva emojis.' : tooLong(text, form?.chars)

const tooLong = (text = '', most = 0): string | null =>
  text.length > most ? `Cabem ${most} letras, e são ${text.length}. Encurte.` : null
