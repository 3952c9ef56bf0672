import type { MessageData } from '#domain/messages/data.ts'
import {
  hasInteractive,
  INTERACTIVE_TYPES,
  type InteractiveLimits,
  type InteractiveType,
  interactiveProblems,
  PAGE_ADDRESS,
} from '#domain/messages/interactive.ts'
import type { messages } from '#features/messages/addresses.ts'
import type { CallInput } from '#kit/contract.ts'
import { t } from '#web/t.ts'

/** Draft of a list row. */
export type RowDraft = { readonly title: string; readonly description: string }

/** Draft of an interactive message; keeps the fields of each kind while another kind is shown. */
export type MessageDraft = {
  readonly type: InteractiveType
  readonly header: string
  readonly body: string
  readonly footer: string
  readonly buttons: readonly string[]
  readonly open: string
  readonly sections: readonly { readonly title: string; readonly rows: readonly RowDraft[] }[]
  readonly linkText: string
  readonly url: string
  readonly formText: string
  readonly formId: string
}

/** Empty list row. */
export const EMPTY_ROW: RowDraft = { title: '', description: '' }
/** Empty list section. */
export const EMPTY_SECTION = { title: '', rows: [EMPTY_ROW] }

/** Returns the interactive kinds that a channel supports. */
export const kindsOf = (limits: InteractiveLimits): InteractiveType[] =>
  INTERACTIVE_TYPES.filter((type) => hasInteractive(limits, type))

/** Creates an empty draft of this kind. */
export const emptyDraft = (type: InteractiveType): MessageDraft => ({
  ...{ type, header: '', body: '', footer: '', buttons: [''] },
  ...{ open: t('Ver opções'), sections: [EMPTY_SECTION] },
  ...{ linkText: '', url: 'https://', formText: '', formId: '' },
})

/** Checks whether a kind has a header; buttons have a footer only. */
export const hasHeader = (type: InteractiveType): boolean => type === 'list' || type === 'cta_url' || type === 'form'
/** Checks whether a kind has a footer. */
export const hasFooter = (type: InteractiveType): boolean => type !== 'location_request'

type Asked = CallInput<typeof messages.buttons>['body']

/** Converts a draft into a send request; the server reports missing parts. */
export function requestOf(draft: MessageDraft, ticketId: number, idFront: string): Asked {
  const { type, body } = draft
  const about = { ticketId, idFront, body }
  const footer = hasFooter(type) ? draft.footer.trim() || undefined : undefined
  const framed = { ...about, footer, header: hasHeader(type) ? draft.header.trim() || undefined : undefined }
  switch (type) {
    case 'buttons':
      return { ...about, footer, buttons: draft.buttons.map((text) => ({ text })) }
    case 'list': {
      const sections = draft.sections.map(({ title, rows }) => ({
        title: title.trim() || undefined,
        rows: rows.map((row) => ({ title: row.title, description: row.description.trim() || undefined })),
      }))
      return { ...framed, type, list: { button: draft.open, sections } }
    }
    case 'cta_url':
      return { ...framed, type, link: { text: draft.linkText, url: draft.url } }
    case 'form':
      return { ...framed, type, form: { text: draft.formText, formId: draft.formId } }
    case 'location_request':
      return { ...about, type }
  }
}

/** Builds the message data of a draft for preview and checks. */
export function dataOf(draft: MessageDraft): MessageData | null {
  const frame = {
    ...(hasHeader(draft.type) ? { header: draft.header } : {}),
    ...(hasFooter(draft.type) ? { footer: draft.footer } : {}),
  }
  switch (draft.type) {
    case 'buttons':
      return { ...frame, buttons: draft.buttons.map((text, n) => ({ id: String(n), text })) }
    case 'list': {
      const sections = draft.sections.map(({ title, rows }, s) => ({
        title,
        rows: rows.map((row, r) => ({ id: `${s}.${r}`, ...row })),
      }))
      return { ...frame, list: { button: draft.open, sections } }
    }
    case 'cta_url':
      return { ...frame, link: { text: draft.linkText, url: draft.url } }
    case 'form':
      return { ...frame, form: { text: draft.formText, formId: draft.formId } }
    case 'location_request':
      return null
  }
}

/** Returns what the channel would refuse in a draft, by field; ignores empty fields. */
export function problemsOf(draft: MessageDraft, limits: InteractiveLimits): Record<string, string> {
  const problems = interactiveProblems(limits, { type: draft.type, body: draft.body, data: dataOf(draft) })
  const texts = draft.buttons.map((text) => text.trim().toLowerCase())
  const repeated =
    draft.type === 'buttons' ? texts.flatMap((text, n) => (text && texts.indexOf(text) < n ? [n] : [])) : []
  const url = draft.url.trim()
  const isBegun = ['https://', 'http://'].some((start) => start.startsWith(url.toLowerCase()))
  return {
    ...problems,
    ...(draft.type === 'cta_url' && !isBegun && !PAGE_ADDRESS.test(url)
      ? { 'link.url': t('O endereço começa com https:// e não tem espaços.') }
      : {}),
    ...Object.fromEntries(
      repeated.map((n) => [`buttons.${n}.text`, t('Já há um botão com este texto: mude um deles.')]),
    ),
  }
}

/** Checks that every required field of a draft has text. */
export function isWritten(draft: MessageDraft): boolean {
  const { type, body, buttons, open, sections, linkText, url, formText, formId } = draft
  const parts = {
    buttons,
    list: [open, ...sections.flatMap(({ rows }) => rows.map(({ title }) => title))],
    cta_url: [linkText, url.replace(/^https?:\/\/?$/i, '')],
    form: [formText, formId],
    location_request: [],
  }[type]
  return [body, ...parts].every((text) => text.trim() !== '')
}
