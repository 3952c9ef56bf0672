import { type CodeTemplate, namesIn, type TEMPLATE_FORMATS, type TemplateContent, variablesOf } from './template.ts'

/** Maximum lengths and counts of a template's parts, from Meta's documentation. */
export const TEMPLATE_LIMITS = {
  ...{ name: 512, header: 60, body: 1024, footer: 60, button: 25, url: 2000, phone: 20, code: 15 },
  ...{ buttons: 10, urls: 2, phones: 1, codes: 1 },
} as const

/** Draft of a template. */
export type TemplateDraft = TemplateContent & { readonly name: string }

const isNumber = (name: string): boolean => /^[1-9]\d*$/.test(name)

/**
 * Returns the problems that a provider would refuse a template for, by field: `buttons.0` is the first button,
 * `samples.nome` a sample.
 */
export function draftProblems(draft: TemplateDraft): Record<string, string> {
  const problems: Record<string, string> = {}
  const { name, header, body, footer, buttons, format } = draft
  if (!/^[a-z0-9_]{1,512}$/.test(name)) problems['name'] = 'Use letras minúsculas sem acento, números e _.'
  if (draft.code) return { ...problems, ...codeProblems(draft.code, buttons) }
  if (header?.kind === 'text') {
    if (header.text.trim() === '') problems['header'] = 'Escreva o título, ou tire-o.'
    else if (header.text.length > TEMPLATE_LIMITS.header) problems['header'] = most(TEMPLATE_LIMITS.header)
    else if (namesIn(header.text).length > 1) problems['header'] = 'Um título tem no máximo uma variável.'
  } else if (header && !header.handle) problems['header'] = 'Envie um arquivo de exemplo.'
  problems['body'] = bodyProblem(body, format)
  if (footer.length > TEMPLATE_LIMITS.footer) problems['footer'] = most(TEMPLATE_LIMITS.footer)
  else if (namesIn(footer).length > 0) problems['footer'] = 'O rodapé não tem variáveis.'
  for (const { key, part, sample } of variablesOf(draft)) {
    if (sample.trim() !== '') continue
    const field =
      part === 'body' ? `samples.${key}` : part === 'header' ? 'header' : `buttons.${key.slice('button'.length)}`
    problems[field] ??= 'Dê um exemplo do valor.'
  }
  for (const [index, button] of buttons.entries()) problems[`buttons.${index}`] ??= buttonProblem(button) ?? ''
  problems['buttons'] = buttonsProblem(buttons)
  return Object.fromEntries(Object.entries(problems).filter(([, text]) => text !== ''))
}

function codeProblems({ minutes }: CodeTemplate, buttons: TemplateContent['buttons']): Record<string, string> {
  const [button] = buttons
  const text = button?.kind === 'otp' ? button.text : ''
  const isTooLong = text.length > TEMPLATE_LIMITS.button
  return {
    ...(minutes !== null && (minutes < 1 || minutes > 90) ? { 'code.minutes': 'Informe de 1 a 90 minutos.' } : {}),
    ...(text.trim() === '' || buttons.length > 1
      ? { 'buttons.0': 'Escreva o texto do botão que copia o código.' }
      : {}),
    ...(isTooLong ? { 'buttons.0': most(TEMPLATE_LIMITS.button) } : {}),
  }
}

const most = (n: number): string => `Use no máximo ${n} letras.`

function bodyProblem(body: string, format: (typeof TEMPLATE_FORMATS)[number]): string {
  if (body.trim() === '') return 'Escreva o texto.'
  if (body.length > TEMPLATE_LIMITS.body) return most(TEMPLATE_LIMITS.body)
  if (/^\s*\{\{\s*\w+\s*\}\}|\{\{\s*\w+\s*\}\}\s*$/.test(body))
    return 'O texto não começa nem termina com uma variável.'
  const names = namesIn(body)
  if (format === 'POSITIONAL' && names.some((name, index) => name !== String(index + 1)))
    return 'Numere as variáveis na ordem do texto: {{1}}, {{2}}, {{3}}…'
  if (format === 'NAMED' && names.some((name) => isNumber(name) || !/^[a-z][a-z0-9_]*$/.test(name)))
    return 'Dê às variáveis nomes com letras minúsculas sem acento, números e _.'
  return ''
}

function buttonProblem(button: TemplateContent['buttons'][number]): string | undefined {
  if (button.kind === 'code')
    return button.sample.length > TEMPLATE_LIMITS.code ? most(TEMPLATE_LIMITS.code) : undefined
  if (button.text.trim() === '') return 'Escreva o texto do botão.'
  if (button.text.length > TEMPLATE_LIMITS.button) return most(TEMPLATE_LIMITS.button)
  if (button.kind === 'phone' && !/^\+?\d{8,20}$/.test(button.phone))
    return 'Informe o telefone com país e DDD, só números.'
  if (button.kind !== 'url') return undefined
  if (!/^https?:\/\/\S+$/.test(button.url) || button.url.length > TEMPLATE_LIMITS.url)
    return 'Informe um endereço que comece com https://.'
  const isOpen = namesIn(button.url).length > 0
  return isOpen && !/^[^{}]+\{\{1\}\}$/.test(button.url) ? 'Um link tem no máximo {{1}}, no fim.' : undefined
}

function buttonsProblem(buttons: TemplateContent['buttons']): string {
  if (buttons.some(({ kind }) => kind === 'otp')) return 'Só um modelo de autenticação copia o código.'
  const count = (kind: string) => buttons.filter((one) => one.kind === kind).length
  if (buttons.length > TEMPLATE_LIMITS.buttons) return `São no máximo ${TEMPLATE_LIMITS.buttons} botões.`
  if (count('url') > TEMPLATE_LIMITS.urls) return `São no máximo ${TEMPLATE_LIMITS.urls} links.`
  if (count('phone') > TEMPLATE_LIMITS.phones) return 'É no máximo um telefone.'
  if (count('code') > TEMPLATE_LIMITS.codes) return 'É no máximo um código.'
  const texts = buttons.flatMap((one) => ('text' in one ? [one.text] : []))
  return new Set(texts).size < texts.length ? 'Cada botão tem um texto seu.' : ''
}
