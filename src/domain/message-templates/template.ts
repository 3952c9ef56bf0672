import { fieldIn, isRecord } from '../keys.ts'
import { itemAt } from '../present.ts'

/** State of a message template at its provider; only approved ones may be sent. */
export const TEMPLATE_STATUSES = [
  'PENDING',
  'APPROVED',
  'REJECTED',
  'PAUSED',
  'DISABLED',
  'IN_APPEAL',
  'PENDING_DELETION',
  'LIMIT_EXCEEDED',
] as const
export type TemplateStatus = (typeof TEMPLATE_STATUSES)[number]

export const TEMPLATE_CATEGORIES = ['MARKETING', 'UTILITY', 'AUTHENTICATION'] as const
export type TemplateCategory = (typeof TEMPLATE_CATEGORIES)[number]

/** Variable formats of a template: numbers from 1, or names. */
export const TEMPLATE_FORMATS = ['POSITIONAL', 'NAMED'] as const

/** Kinds of files allowed in a header. */
export const HEADER_FILES = ['image', 'video', 'document'] as const
export type HeaderFile = (typeof HEADER_FILES)[number]

/**
 * Header of a template; `sample` is the example value of its variable, `handle` the provider's reference to the example
 * file.
 */
export type TemplateHeader =
  | { readonly kind: 'text'; readonly text: string; readonly sample?: string | undefined }
  | { readonly kind: HeaderFile; readonly handle?: string | undefined }

/** Button of a template; `sample` is the sample value of a link's variable ending, or of the code; `otp` copies the code. */
export type TemplateButton =
  | { readonly kind: 'reply'; readonly text: string }
  | { readonly kind: 'url'; readonly text: string; readonly url: string; readonly sample?: string | undefined }
  | { readonly kind: 'phone'; readonly text: string; readonly phone: string }
  | { readonly kind: 'code'; readonly sample: string }
  | { readonly kind: 'otp'; readonly text: string }

/** Settings of an authentication template; the provider writes its text in the template's language. */
export type CodeTemplate = {
  /** Whether the text warns not to share the code. */
  readonly isWarned: boolean
  /** Validity of the code in minutes (1 to 90), stated in the text; null: not stated. */
  readonly minutes: number | null
}

/** Content of a message template; `samples` has a value for each variable of the body, by name. */
export type TemplateContent = {
  readonly format: (typeof TEMPLATE_FORMATS)[number]
  readonly header: TemplateHeader | null
  readonly body: string
  readonly samples: Readonly<Record<string, string>>
  readonly footer: string
  readonly buttons: readonly TemplateButton[]
  readonly code?: CodeTemplate | undefined
  /** Whether the template has parts that the product cannot send, such as a carousel. */
  readonly isForeign?: boolean | undefined
}

/** Message template, identified by name and language; it can be sent once the provider has approved it. */
export type MessageTemplate = TemplateContent & {
  readonly name: string
  readonly language: string
  readonly status: TemplateStatus
}

/** Variable of a template: its key, and its place. */
export type TemplateVariable = {
  readonly key: string
  readonly part: 'header' | 'body' | 'button'
  /** Name of the variable; for a button the button's text. */
  readonly name: string
  readonly sample: string
}

/** Parameter value for the provider; `name` for named variables, `index` of the button. */
export type TemplateParameter =
  | { readonly part: 'header' | 'body'; readonly text: string; readonly name?: string }
  | { readonly part: 'button'; readonly kind: 'url' | 'code'; readonly index: number; readonly text: string }

/** Sent template: the data stored beside its rendered text. */
export type SentTemplate = {
  readonly name: string
  readonly language: string
  /** Kind of the header file, which is sent with the message. */
  readonly header: HeaderFile | null
  readonly parameters: readonly TemplateParameter[]
}

const VARIABLE = /\{\{\s*(\w+)\s*\}\}/g

/** Returns the names of the variables in a text, each once, in order. */
export const namesIn = (text: string): string[] => [
  ...new Set([...text.matchAll(VARIABLE)].map(([, name = '']) => name)),
]

const filledText = (text: string, valueFor: (name: string) => string): string =>
  text.replace(VARIABLE, (_, name: string) => valueFor(name))

const codeButton = 'Copiar código'

/** Keys of variables in header and buttons; those of the body use their own names. */
export const HEADER_KEY = 'header'
export const buttonKey = (index: number): string => `button${index}`

/** Key of the only variable of an authentication template. */
const CODE_KEY = '1'

/** Returns all variables of a template, from top to bottom. */
export function variablesOf({ header, body, samples, buttons }: TemplateContent): TemplateVariable[] {
  const above = header?.kind === 'text' ? namesIn(header.text).slice(0, 1) : []
  return [
    ...above.map((name) => {
      const sample = header?.kind === 'text' ? (header.sample ?? '') : ''
      return { key: HEADER_KEY, part: 'header', name, sample } as const
    }),
    ...namesIn(body).map((name) => ({ key: name, part: 'body', name, sample: samples[name] ?? '' }) as const),
    ...buttons.flatMap((button, index) => {
      const of = { key: buttonKey(index), part: 'button' } as const
      if (button.kind === 'code') return [{ ...of, name: codeButton, sample: button.sample }]
      const isOpen = button.kind === 'url' && namesIn(button.url).length > 0
      return isOpen ? [{ ...of, name: button.text, sample: button.sample ?? '' }] : []
    }),
  ]
}

type Values = Readonly<Record<string, string>>

/** Renders a template with its values as the recipient sees it: header in bold, body, footer. */
export function templateText({ header, body, footer }: TemplateContent, values: Values): string {
  const above = header?.kind === 'text' ? `*${filledText(header.text, () => values[HEADER_KEY] ?? '')}*` : ''
  const text = filledText(body, (name) => values[name] ?? '')
  return [above, text, footer].filter(Boolean).join('\n\n')
}

/** Returns the texts of a template's buttons. */
export const buttonTexts = ({ buttons }: TemplateContent): string[] =>
  buttons.map((button) => (button.kind === 'code' ? codeButton : button.text))

/** Builds the payload of a template with its values for the provider. */
export function sentTemplate(template: MessageTemplate, values: Values): SentTemplate {
  const { name, language, format, header, buttons } = template
  const named = (one: TemplateVariable) => (format === 'NAMED' ? { name: one.name } : {})
  const wanted = variablesOf(template).map((one): TemplateParameter => {
    const text = values[one.key] ?? ''
    if (one.part !== 'button') return { part: one.part, text, ...named(one) }
    const index = buttons.findIndex((_, at) => buttonKey(at) === one.key)
    return { part: 'button', kind: itemAt(buttons, index).kind === 'code' ? 'code' : 'url', index, text }
  })
  // The copy button gets the same code.
  const copied = buttons.flatMap(({ kind }, index): TemplateParameter[] =>
    kind === 'otp' ? [{ part: 'button', kind: 'url', index, text: values[CODE_KEY] ?? '' }] : [],
  )
  return {
    ...{ name, language, header: header && header.kind !== 'text' ? header.kind : null },
    parameters: [...wanted, ...copied],
  }
}

/** Maximum length of a rendered body, and of a rendered header. */
const MOST_IN_BODY = 1024
const MOST_IN_TITLE = 60
const MOST_IN_CODE = 15

const STATUS_PROBLEMS: Readonly<Record<Exclude<TemplateStatus, 'APPROVED'>, string>> = {
  PENDING: 'O modelo ainda está em análise. Espere a aprovação, ou escolha outro.',
  IN_APPEAL: 'O modelo foi recusado e está em recurso. Escolha outro.',
  REJECTED: 'O modelo foi recusado. Corrija-o, ou escolha outro.',
  PAUSED: 'O modelo está pausado por baixa qualidade. Escolha outro.',
  DISABLED: 'O modelo foi desativado por baixa qualidade. Escolha outro.',
  PENDING_DELETION: 'O modelo está sendo excluído. Escolha outro.',
  LIMIT_EXCEEDED: 'O modelo passou do limite de envios. Escolha outro.',
}

/** Returns the reason for which a template cannot be sent regardless of its values; null if it can. */
export const whyNotUsable = ({ status, isForeign }: Pick<MessageTemplate, 'status' | 'isForeign'>): string | null =>
  status !== 'APPROVED'
    ? STATUS_PROBLEMS[status]
    : isForeign
      ? 'O modelo tem partes que não são enviadas por aqui. Escolha outro.'
      : null

/**
 * Returns the problems of a template's values by key (`file`: its file), by the provider's rules; empty if valid. `file` is
 * the kind of the attached file.
 */
export function templateProblems(
  template: TemplateContent,
  values: Values,
  file: string | null,
): Record<string, string> {
  const problems: Record<string, string> = {}
  const wanted = variablesOf(template)
  for (const { key, part, name } of wanted) {
    const value = values[key] ?? ''
    if (value.trim() === '') problems[key] = part === 'body' ? `Preencha {{${name}}}.` : 'Preencha este valor.'
    else if (/[\n\t]| {5}/.test(value))
      problems[key] = 'Um valor não tem quebras de linha, tabulações nem cinco espaços seguidos.'
  }
  if (template.buttons.some(({ kind }) => kind === 'otp') && (values[CODE_KEY] ?? '').length > MOST_IN_CODE)
    problems[CODE_KEY] ??= `Um código tem no máximo ${MOST_IN_CODE} letras.`
  const known = new Set(wanted.map(({ key }) => key))
  for (const key of Object.keys(values)) if (!known.has(key)) problems[key] = 'O modelo não tem este valor.'
  const text = filledText(template.body, (name) => values[name] ?? '')
  if (text.length > MOST_IN_BODY) problems['body'] = `Com estes valores o texto passa de ${MOST_IN_BODY} letras.`
  const { header } = template
  if (header?.kind === 'text' && filledText(header.text, () => values[HEADER_KEY] ?? '').length > MOST_IN_TITLE)
    problems[HEADER_KEY] ??= `Com este valor o título passa de ${MOST_IN_TITLE} letras.`
  const kind = header && header.kind !== 'text' ? header.kind : null
  if (kind !== file) problems['file'] = kind ? FILE_PROBLEMS[kind] : 'Este modelo não leva arquivo.'
  return problems
}

const FILE_PROBLEMS: Readonly<Record<HeaderFile, string>> = {
  image: 'Este modelo leva uma imagem: anexe uma.',
  video: 'Este modelo leva um vídeo: anexe um.',
  document: 'Este modelo leva um documento: anexe um.',
}

const isTemplate = (value: unknown): value is SentTemplate => isRecord(value)

/** Returns the template in a message's `data`; null if none. */
export function templateOf(data: unknown): SentTemplate | null {
  const template = fieldIn(data, 'template')
  return isTemplate(template) ? template : null
}
