import { randomUUID } from 'node:crypto'
import { Refused } from './refused.ts'

type Example = {
  header_text?: string[]
  header_text_named_params?: { param_name: string; example: string }[]
  header_handle?: string[]
  body_text?: string[][]
  body_text_named_params?: { param_name: string; example: string }[]
}
type Component = {
  type: string
  format?: string
  text?: string
  add_security_recommendation?: boolean
  code_expiration_minutes?: number
  example?: Example
  buttons?: {
    type: string
    text?: string
    url?: string
    phone_number?: string
    example?: string | string[]
    otp_type?: string
  }[]
}
export type StoredTemplate = {
  id: string
  name: string
  language: string
  status: string
  category: string
  parameter_format: string
  components: Component[]
  quality_score?: { score: string }
  rejected_reason?: string
}
type Parameter = { type: string; text?: string; parameter_name?: string; coupon_code?: string } & Record<
  string,
  unknown
>
type Sent = {
  name: string
  language: { code: string }
  components?: { type: string; sub_type?: string; index?: string; parameters: Parameter[] }[]
}

const variables = (text = ''): string[] => [...new Set([...text.matchAll(/\{\{(\w+)\}\}/g)].map(([, name]) => name!))]
const CATEGORIES = ['MARKETING', 'UTILITY', 'AUTHENTICATION']

/** Message templates of an account, stored and refused as Meta does. */
export function metaTemplates(unique: () => string) {
  const all = new Map<string, StoredTemplate>()
  const handles = new Map<string, Buffer>()
  const uploads = new Map<string, number>()
  /** `overlap`: number of rows that a page repeats from the one before, as after a removal meanwhile. */
  const state = { overlap: 0 }

  function check({
    name,
    language,
    category,
    parameter_format: format,
    components,
  }: Omit<StoredTemplate, 'id' | 'status'>) {
    if (!/^[a-z0-9_]{1,512}$/.test(name) || !language || !CATEGORIES.includes(category)) throw new Refused(100)
    if (category === 'AUTHENTICATION') return checkCode(components)
    const body = components.find(({ type }) => type === 'BODY')
    if (!body?.text || body.text.length > 1024 || /^\{\{|\}\}$/.test(body.text.trim())) throw new Refused(100)
    for (const one of components) {
      const names = variables(one.text)
      if (format === 'POSITIONAL' && names.some((of, n) => of !== String(n + 1))) throw new Refused(100)
      const { example = {} } = one
      const named = one.type === 'BODY' ? example.body_text_named_params : example.header_text_named_params
      const values = one.type === 'BODY' ? example.body_text?.[0] : example.header_text
      const given = format === 'NAMED' ? named?.map(({ example: value }) => value) : values
      if (names.length > 0 && (given?.length !== names.length || given.some((value) => !value))) throw new Refused(100)
      if (one.type === 'HEADER' && one.format === 'TEXT' && (one.text ?? '').length > 60) throw new Refused(100)
      if (one.type === 'HEADER' && one.format !== 'TEXT' && !handles.has(example.header_handle?.[0] ?? ''))
        throw new Refused(100)
      if (one.type === 'FOOTER' && ((one.text ?? '').length > 60 || names.length > 0)) throw new Refused(100)
      if ((one.buttons ?? []).some(({ text = 'código' }) => text.length < 1 || text.length > 25)) throw new Refused(100)
    }
  }

  /** Checks the three settings that the account may choose in an authentication template; all others are rejected. */
  function checkCode(components: Component[]): void {
    const isFine = components.every(({ type, text, add_security_recommendation: isWarned, ...one }) => {
      if (text !== undefined) return false
      if (type === 'BODY') return typeof isWarned === 'boolean'
      if (type === 'FOOTER') return one.code_expiration_minutes! >= 1 && one.code_expiration_minutes! <= 90
      const [button, ...others] = one.buttons ?? []
      const isCopied = button?.type === 'OTP' && button.otp_type === 'COPY_CODE'
      return type === 'BUTTONS' && others.length === 0 && isCopied && /^.{1,25}$/.test(button.text ?? '')
    })
    if (!isFine || !components.some(({ type }) => type === 'BODY')) throw new Refused(100)
  }

  // The text and the button contain the same code.
  function requireCode(components: NonNullable<Sent['components']>): void {
    const [body, button, ...others] = components.map(({ type, sub_type = '', index = '', parameters }) => ({
      ...{ part: `${type} ${sub_type} ${index}`.trim(), texts: parameters.map(({ text = '' }) => text) },
    }))
    const code = body?.texts[0] ?? ''
    const isFine = body?.part === 'body' && button?.part === 'button url 0' && others.length === 0
    if (!isFine || body.texts.length !== 1 || button.texts.join() !== code) throw new Refused(132000)
    if (!/^.{1,15}$/.test(code)) throw new Refused(132012)
  }

  /** Returns a template as Meta lists it, with the components that Meta writes itself. */
  const listed = (template: StoredTemplate): StoredTemplate =>
    template.category === 'AUTHENTICATION' ? { ...template, components: template.components.map(codePart) } : template
  function codePart(one: Component): Component {
    const { type, add_security_recommendation: isWarned, code_expiration_minutes: minutes, buttons } = one
    const warning = isWarned ? ' Para sua segurança, não o compartilhe.' : ''
    if (type === 'BODY')
      return { ...one, text: `*{{1}}* é seu código de verificação.${warning}`, example: { body_text: [['123456']] } }
    if (type === 'FOOTER') return { ...one, text: `Este código expira em ${minutes} minutos.` }
    const url = 'https://www.whatsapp.com/otp/code/?otp_type=COPY_CODE&code=otp'
    const { text = '' } = buttons![0]!
    return { ...one, buttons: [{ type: 'URL', text, url: `${url}{{1}}`, example: [`${url}123456`] }] }
  }

  return {
    all,
    state,
    handles,
    /** Puts one there, as it would be after its approval. */
    approve(template: Partial<StoredTemplate> & { name: string; components: Component[] }): StoredTemplate {
      const made = {
        ...{ id: unique(), language: 'pt_BR', status: 'APPROVED', category: 'UTILITY', parameter_format: 'POSITIONAL' },
        ...{ quality_score: { score: 'GREEN' }, rejected_reason: 'NONE' },
        ...template,
      }
      all.set(made.id, made)
      return made
    },
    list(query: URLSearchParams): object {
      const [limit, after] = [Number(query.get('limit') ?? 25), Number(query.get('after') ?? 0)]
      const rows = [...all.values()].slice(Math.max(0, after - state.overlap), after + limit).map(listed)
      const isMore = after + limit < all.size
      const paging = { cursors: { after: String(after + limit) }, ...(isMore ? { next: 'https://graph' } : {}) }
      return { data: rows, paging }
    },
    create(given: Omit<StoredTemplate, 'id' | 'status'>): object {
      check(given)
      const isKnown = [...all.values()].some((one) => one.name === given.name && one.language === given.language)
      if (isKnown) throw new Refused(100)
      const made = { ...given, id: unique(), status: 'PENDING', rejected_reason: 'NONE' }
      all.set(made.id, made)
      return { id: made.id, status: 'PENDING', category: made.category }
    },
    edit(id: string, change: Pick<StoredTemplate, 'components'>): object {
      const template = all.get(id)
      if (!template || template.status === 'PENDING') throw new Refused(100)
      check({ ...template, ...change })
      all.set(id, { ...template, ...change, status: 'PENDING' })
      return { success: true }
    },
    remove(query: URLSearchParams): object {
      const found = [...all.values()].filter(
        ({ name, id }) => name === query.get('name') && (query.get('hsm_id') ?? id) === id,
      )
      if (found.length === 0) throw new Refused(100)
      for (const { id } of found) all.delete(id)
      return { success: true }
    },
    begin(query: URLSearchParams): object {
      const session = `upload:${randomUUID()}?sig=ARZ`
      uploads.set(session, Number(query.get('file_length')))
      return { id: session }
    },
    fill(session: string, offset: string | undefined, bytes: Buffer): object {
      if (uploads.get(session) !== bytes.length || offset !== '0') throw new Refused(100)
      const handle = `4::${randomUUID()}`
      handles.set(handle, bytes)
      return { h: handle }
    },
    /** Throws if a template cannot be sent: missing, not approved, wrong number of values, no file. */
    requireSendable({ name, language, components = [] }: Sent, isMedia: (id: string) => boolean): void {
      const template = [...all.values()].find((one) => one.name === name && one.language === language.code)
      if (!template || !['APPROVED', 'PAUSED', 'DISABLED'].includes(template.status)) throw new Refused(132001)
      if (template.status !== 'APPROVED') throw new Refused(template.status === 'PAUSED' ? 132015 : 132016)
      if (template.category === 'AUTHENTICATION') {
        requireCode(components)
        return
      }
      const given = (type: string) => components.find((one) => one.type === type)?.parameters ?? []
      for (const { type, format, text, buttons = [] } of template.components) {
        const [values, names] = [given(type.toLowerCase()), variables(text)]
        if (type === 'HEADER' && format !== 'TEXT') {
          const file = values[0]?.[format!.toLowerCase()] as { id?: string } | undefined
          if (!file?.id || !isMedia(file.id)) throw new Refused(132012)
        } else if (type === 'HEADER' || type === 'BODY') {
          if (values.length !== names.length || values.some((one) => !one.text)) throw new Refused(132000)
          if (values.some((one) => /[\n\t]/.test(one.text!))) throw new Refused(132012)
          const isNamed = template.parameter_format === 'NAMED'
          if (isNamed && values.some((one, n) => one.parameter_name !== names[n])) throw new Refused(132012)
        }
        for (const [index, button] of buttons.entries()) {
          const wants = button.type === 'COPY_CODE' || variables(button.url).length > 0
          const has = components.some((one) => one.type === 'button' && one.index === String(index))
          if (wants !== has) throw new Refused(132000)
        }
      }
    },
  }
}
