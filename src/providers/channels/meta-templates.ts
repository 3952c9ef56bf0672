import { z } from 'zod'
import {
  type CodeTemplate,
  HEADER_FILES,
  type HeaderFile,
  namesIn,
  type SentTemplate,
  TEMPLATE_CATEGORIES,
  TEMPLATE_STATUSES,
  type TemplateButton,
  type TemplateCategory,
  type TemplateContent,
  type TemplateHeader,
  type TemplateParameter,
  type TemplateStatus,
} from '#domain/message-templates/template.ts'
import { readOutside } from '#kit/outside.ts'
import { flag, listOrOne, numberOrText, record, textOrNumber as text } from '#kit/outside-fields.ts'
import type { ProviderTemplate, TemplateForm, TemplateNews } from './port.ts'
import { lookUp } from './read.ts'

const named = record({ param_name: text, example: text })
const button = record({ type: text, text, url: text, phone_number: text, otp_type: text, example: listOrOne(text) })
type MetaButton = z.output<typeof button>

/** Schema of a template's part in the Graph API (sheet of templates; `type` and `format` in capitals). */
const component = record({
  ...{ type: text, format: text, text },
  /** Fields of a template with a code, whose text is Meta's. */
  ...{ add_security_recommendation: flag, code_expiration_minutes: numberOrText },
  example: record({
    ...{ header_text: z.array(text), header_text_named_params: z.array(named), header_handle: z.array(text) },
    ...{ body_text: z.array(z.array(text)), body_text_named_params: z.array(named) },
  }),
  buttons: z.array(button),
})
type Component = z.output<typeof component>

/** Schema of a template in the Graph API's list. */
export const metaTemplate = record({
  ...{ id: text, name: text, language: text, status: text, category: text, parameter_format: text },
  components: z.array(component),
  quality_score: record({ score: text }),
  rejected_reason: text,
}).required({ id: true, name: true, language: true })
export type MetaTemplate = z.output<typeof metaTemplate>

/** Template fields to request. */
export const TEMPLATE_FIELDS =
  'id,name,language,status,category,parameter_format,components,quality_score,rejected_reason'

/** Returns a template status; an unknown one counts as `DISABLED`, which cannot be sent. */
export const statusOf = (status: string): TemplateStatus =>
  TEMPLATE_STATUSES.find((one) => one === status) ?? 'DISABLED'

/** Returns a template category; an unknown one counts as the most expensive, so that its price surprises no one. */
export const categoryOf = (category: string): TemplateCategory => knownCategory(category) ?? 'MARKETING'

const knownCategory = (category = ''): TemplateCategory | undefined =>
  TEMPLATE_CATEGORIES.find((one) => one === category)

const QUALITIES = ['GREEN', 'YELLOW', 'RED'] as const
/** Returns the quality of a template; null if Meta has not rated it. */
export const qualityOf = (score: string | undefined) => QUALITIES.find((one) => one === score) ?? null

/** Converts a template of the Graph API. */
export function readTemplate(template: MetaTemplate): ProviderTemplate {
  const { id, name, language, status = '', category = '', rejected_reason: reason = 'NONE' } = template
  return {
    ...{ id, name, language, status: statusOf(status), category: categoryOf(category) },
    ...{ quality: qualityOf(template.quality_score?.score), reason: reason === 'NONE' ? '' : reason },
    ...contentOf(template),
  }
}

const KNOWN = ['HEADER', 'BODY', 'FOOTER', 'BUTTONS']

function contentOf({ components = [], category, parameter_format: format }: MetaTemplate): TemplateContent {
  const part = (type: string) => components.find((one) => one.type?.toUpperCase() === type)
  const isCode = category === 'AUTHENTICATION'
  const [above, body, given] = [part('HEADER'), part('BODY'), part('BUTTONS')?.buttons ?? []]
  const header = above ? headerOf(above) : null
  const buttons = given.flatMap((one) => (isCode ? otpOf(one) : buttonOf(one)) ?? [])
  const isForeign =
    components.some(({ type = '' }) => !KNOWN.includes(type.toUpperCase())) ||
    header === undefined ||
    buttons.length < given.length
  const text = body?.text ?? ''
  return {
    ...{ format: format === 'NAMED' ? 'NAMED' : 'POSITIONAL', header: header ?? null, body: text, buttons },
    ...{ samples: samplesOf(text, body?.example), footer: part('FOOTER')?.text ?? '' },
    ...(isCode ? { code: codeOf(body, part('FOOTER')) } : {}),
    ...(isForeign ? { isForeign } : {}),
  }
}

const codeOf = (body: Component | undefined, footer: Component | undefined): CodeTemplate => ({
  isWarned: body?.add_security_recommendation ?? false,
  minutes: footer?.code_expiration_minutes ?? null,
})

// Meta lists copy-code buttons as links; those for another app (one tap, zero tap) are not sent from here.
function otpOf({ type, text = '', url = '', otp_type: way = '' }: MetaButton): TemplateButton | null {
  const isCopied = type === 'URL' ? /[?&]otp_type=COPY_CODE\b/.test(url) : type === 'OTP' && way === 'COPY_CODE'
  return isCopied ? { kind: 'otp', text } : null
}

function samplesOf(text: string, example: Component['example']): Record<string, string> {
  const given = example?.body_text_named_params
  if (given) return Object.fromEntries(given.map(({ param_name: name = '', example: sample = '' }) => [name, sample]))
  const [values = []] = example?.body_text ?? []
  return Object.fromEntries(namesIn(text).map((name, index) => [name, values[index] ?? '']))
}

// Undefined for kinds that are not sent from here.
function headerOf({ format, text = '', example }: Component): TemplateHeader | undefined {
  if (format === 'TEXT') {
    const sample = example?.header_text?.[0] ?? example?.header_text_named_params?.[0]?.example
    return { kind: 'text', text, ...(sample === undefined ? {} : { sample }) }
  }
  const kind = HEADER_FILES.find((one) => one.toUpperCase() === format)
  const handle = example?.header_handle?.[0]
  return kind && { kind, ...(handle === undefined ? {} : { handle }) }
}

function buttonOf({ type, text = '', url = '', phone_number: phone = '', example }: MetaButton): TemplateButton | null {
  const [sample] = example ?? []
  if (type === 'QUICK_REPLY') return { kind: 'reply', text }
  if (type === 'PHONE_NUMBER') return { kind: 'phone', text, phone }
  if (type === 'COPY_CODE') return { kind: 'code', sample: sample ?? '' }
  if (type !== 'URL') return null
  // Meta uses the whole URL as the sample of a link.
  const start = url.replace(/\{\{1\}\}$/, '')
  const end = sample?.startsWith(start) ? sample.slice(start.length) : sample
  return { kind: 'url', text, url, ...(end === undefined ? {} : { sample: end }) }
}

/** Converts a template form for the Graph API; `isEdit` omits name and language, which cannot change. */
export function writeTemplate({ name, language, category, ...content }: TemplateForm, isEdit = false): object {
  const components = componentsOf(content)
  if (isEdit) return { category, components }
  const format = content.code ? {} : { parameter_format: content.format }
  return { name, language, category, ...format, components }
}

function componentsOf({ format, header, body, samples, footer, buttons, code }: TemplateContent): object[] {
  if (code) return codeComponents(code, buttons)
  const isNamed = format === 'NAMED'
  const named = (names: readonly string[], of: (name: string) => string): object[] =>
    names.map((name) => ({ param_name: name, example: of(name) }))
  const names = namesIn(body)
  const bodyExample = isNamed
    ? { body_text_named_params: named(names, (name) => samples[name] ?? '') }
    : { body_text: [names.map((name) => samples[name] ?? '')] }
  return [
    ...(header ? [writtenHeader(header, named, isNamed)] : []),
    { type: 'BODY', text: body, ...(names.length > 0 ? { example: bodyExample } : {}) },
    ...(footer ? [{ type: 'FOOTER', text: footer }] : []),
    ...(buttons.length > 0 ? [{ type: 'BUTTONS', buttons: buttons.map(writtenButton) }] : []),
  ]
}

const codeComponents = ({ isWarned, minutes }: CodeTemplate, buttons: TemplateContent['buttons']): object[] => [
  { type: 'BODY', add_security_recommendation: isWarned },
  ...(minutes === null ? [] : [{ type: 'FOOTER', code_expiration_minutes: minutes }]),
  { type: 'BUTTONS', buttons: buttons.map(writtenButton) },
]

function writtenHeader(
  header: TemplateHeader,
  named: (names: readonly string[], of: (name: string) => string) => object[],
  isNamed: boolean,
): object {
  if (header.kind !== 'text')
    return { type: 'HEADER', format: header.kind.toUpperCase(), example: { header_handle: [header.handle ?? ''] } }
  const { text, sample = '' } = header
  const names = namesIn(text)
  const example = isNamed ? { header_text_named_params: named(names, () => sample) } : { header_text: [sample] }
  return { type: 'HEADER', format: 'TEXT', text, ...(names.length > 0 ? { example } : {}) }
}

function writtenButton(button: TemplateButton): object {
  switch (button.kind) {
    case 'reply':
      return { type: 'QUICK_REPLY', text: button.text }
    case 'phone':
      return { type: 'PHONE_NUMBER', text: button.text, phone_number: button.phone }
    case 'code':
      return { type: 'COPY_CODE', example: button.sample }
    case 'otp':
      return { type: 'OTP', otp_type: 'COPY_CODE', text: button.text }
    case 'url': {
      const { text, url, sample = '' } = button
      const example = namesIn(url).length > 0 ? { example: [url.replace(/\{\{1\}\}$/, sample)] } : {}
      return { type: 'URL', text, url, ...example }
    }
  }
}

/** File of a template message: id of an upload, or link. */
export type MediaPart = { readonly id: string } | { readonly link: string }

/** Converts a template with its values, and the file of its header, into a message of the Graph API. */
export function templatePart(
  { name, language, header, parameters }: SentTemplate,
  media: MediaPart | null,
  fileName: string | null,
): object {
  const texts = (part: 'header' | 'body') =>
    parameters.flatMap((one) => (one.part === part ? [{ type: 'text', ...naming(one), text: one.text }] : []))
  const above = header && media ? [filePart(header, media, fileName)] : texts('header')
  const components = [
    ...(above.length > 0 ? [{ type: 'header', parameters: above }] : []),
    ...(texts('body').length > 0 ? [{ type: 'body', parameters: texts('body') }] : []),
    ...parameters.flatMap((one) => (one.part === 'button' ? [buttonPart(one)] : [])),
  ]
  return { name, language: { code: language }, ...(components.length > 0 ? { components } : {}) }
}

const naming = ({ name }: { readonly name?: string }) => (name === undefined ? {} : { parameter_name: name })

const filePart = (kind: HeaderFile, media: MediaPart, fileName: string | null) => ({
  type: kind,
  [kind]: { ...media, ...(kind === 'document' && fileName ? { filename: fileName } : {}) },
})

const buttonPart = ({ kind, index, text }: Extract<TemplateParameter, { part: 'button' }>) => ({
  ...{ type: 'button', sub_type: kind === 'code' ? 'copy_code' : 'url', index: String(index) },
  parameters: [kind === 'code' ? { type: 'coupon_code', coupon_code: text } : { type: 'text', text }],
})

const EVENTS: Readonly<Record<string, TemplateStatus>> = { REINSTATED: 'APPROVED', DELETED: 'PENDING_DELETION' }

const newsValue = record({
  ...{ message_template_id: text, event: text, reason: text, new_quality_score: text, new_category: text },
})

/** Converts a webhook field into news of a template; null for other fields, or without a template id. */
export function templateNewsOf(field: string, value: unknown, at: number): TemplateNews | null {
  if (!field.includes('template')) return null
  const news = readOutside(newsValue, value)?.data ?? {}
  const { message_template_id: id, event = '', reason, new_quality_score: score, new_category } = news
  if (id === undefined) return null
  const about = { id, at }
  switch (field) {
    case 'message_template_status_update':
      // A flagged template is only a warning and can still be sent.
      if (event === 'FLAGGED') return about
      return {
        ...about,
        status: lookUp(EVENTS, event) ?? statusOf(event),
        reason: !reason || reason === 'NONE' ? '' : reason,
      }
    case 'message_template_quality_update':
      return { ...about, quality: qualityOf(score) }
    case 'template_category_update': {
      const category = knownCategory(new_category)
      return category ? { ...about, category } : null
    }
    default:
      return null
  }
}
