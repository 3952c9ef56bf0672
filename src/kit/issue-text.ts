import type { z } from 'zod'

type Issue = z.core.$ZodRawIssue

const types: Readonly<Record<string, string>> = {
  int: 'Informe um número.',
  number: 'Informe um número.',
  string: 'Informe um texto.',
  boolean: 'Informe sim ou não.',
  array: 'Informe uma lista.',
  object: 'Informe um objeto.',
  record: 'Informe um objeto.',
}
const formats: Readonly<Record<string, string>> = {
  email: 'Informe um e-mail válido.',
  url: 'Informe um endereço (URL) válido.',
  datetime: 'Informe uma data e hora válidas.',
  date: 'Informe uma data válida.',
  time: 'Informe um horário válido.',
}

const units: Readonly<Record<string, readonly [one: string, more: string]>> = {
  string: ['caractere', 'caracteres'],
  array: ['item', 'itens'],
  set: ['item', 'itens'],
}
const bounded = (origin: string, amount: number | bigint, [ofSize, ofValue]: readonly [string, string]) => {
  const [one, more] = units[origin] ?? []
  return one && more ? `Use ${ofSize} ${amount} ${Number(amount) === 1 ? one : more}.` : `Use ${amount} ${ofValue}.`
}

/** Formats what is wrong with a value of a call as a Portuguese sentence; a message of the schema itself takes precedence. */
export function issueText(issue: Issue): string {
  switch (issue.code) {
    case 'invalid_type':
      if (issue.input === undefined) return 'Preencha este campo.'
      return types[issue.expected] ?? 'Valor inválido.'
    case 'too_small':
      if (issue.origin === 'string' && issue.minimum === 1) return 'Preencha este campo.'
      if (issue.inclusive === false) return `Use mais de ${issue.minimum}.`
      return bounded(issue.origin, issue.minimum, ['ao menos', 'ou mais'])
    case 'too_big':
      return bounded(issue.origin, issue.maximum, ['no máximo', 'ou menos'])
    case 'invalid_format':
      return formats[issue.format] ?? 'Formato inválido.'
    case 'invalid_value':
      return `Escolha uma destas opções: ${issue.values.map(String).join(', ')}.`
    case 'unrecognized_keys':
      return `Campo desconhecido: ${issue.keys.join(', ')}.`
    default:
      return 'Valor inválido.'
  }
}
