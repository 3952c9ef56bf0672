import type { FlowDocument } from './document.ts'
import { isObject, type JsonObject, textOf } from './json.ts'

/** Position of a secret in a flow: part, name, and the only allowed origin ('': unknown). */
export type SecretPosition = { readonly at: string; readonly name: string; readonly origin: string }

/** Returns the replacement of a secret, reference or mask in a document. */
export type ReplaceSecret = (text: string, position: SecretPosition) => string

const VARIABLE = /(\{\{[^{}]*\}\})/
const REFERENCE = /\{\{secret:([0-9a-f-]{36})\}\}/

/** Returns the reference to a separately stored secret in a document. */
export const secretReference = (id: string): string => `{{secret:${id}}}`

/** Returns the id in a secret reference; null for any other text. */
export const secretIdOf = (text: string): string | null => {
  const [whole, id = null] = REFERENCE.exec(text) ?? []
  return whole === text ? id : null
}

/** Splits a text into plain parts and ids of secrets, in order. */
export const secretParts = (text: string): readonly { readonly text: string; readonly secretId: string | null }[] =>
  text.split(VARIABLE).reduce<{ text: string; secretId: string | null }[]>((parts, part) => {
    const secretId = secretIdOf(part)
    const last = parts.at(-1)
    if (secretId === null && last?.secretId === null) last.text += part
    else parts.push({ text: part, secretId })
    return parts
  }, [])

// A host without ambiguity: texts that URL parsers read differently must not get a secret.
const ORIGIN = /^https?:\/\/(?:[a-z0-9._-]|\{\{[^{}:/?#@\\]*\}\})+(?::\d+)?(?=[/?#]|$)/i

/** Returns scheme, host and port of an address as written, with variables; '' if ambiguous. */
export const originOf = (url: string): string => ORIGIN.exec(url.trim())?.[0].toLowerCase() ?? ''

const SECRET_NAME = /pass(?:word|phrase)?$|senha|secret|segredo|token|api[_-]?key|credential|authorization/i
const SECRET_PARAMETER = /^(?:key|auth|sig|signature|access[_-]?key)$/i
const PLAIN_HEADERS = /^(?:accept|accept-language|cache-control|content-language|content-type|user-agent)$/i
const SCHEME = /^(?:api-?key|basic|bearer|digest|token)(?=\s|$)/i
const URL_FIELDS = ['webhookUrl', 'webhook', 'typebotUrl', 'n8nfield']
const MOST_DEPTH = 16

type Within = { readonly at: string; readonly origin: string }

/**
 * Returns the document with every secret, or its placeholder, replaced: values of headers and fields, parameters and
 * parts of bodies with secret-sounding names. Variables in them are kept.
 */
export function mapSecrets(document: FlowDocument, replace: ReplaceSecret): FlowDocument {
  const { nodeList } = document
  if (!Array.isArray(nodeList)) return document
  return { ...document, nodeList: nodeList.map((node) => walk(node, '', { at: '', origin: '' }, replace, 0)) }
}

/** Returns the references to secrets in a document, with their positions. */
export function secretsIn(
  document: FlowDocument,
): { readonly id: string; readonly at: string; readonly name: string }[] {
  const found: { id: string; at: string; name: string }[] = []
  mapSecrets(document, (text, { at, name }) => {
    const id = secretIdOf(text)
    if (id !== null) found.push({ id, at, name })
    return text
  })
  return found
}

function walk(value: unknown, name: string, within: Within, replace: ReplaceSecret, depth: number): unknown {
  if (depth > MOST_DEPTH) return value
  if (typeof value === 'string') return inField(value, name, within, replace)
  if (Array.isArray(value)) return value.map((one) => walk(one, name, within, replace, depth + 1))
  if (!isObject(value)) return value
  const here = positionOf(value, within)
  const key = textOf(value['key']).trim()
  const isPlain = name !== 'headers' || PLAIN_HEADERS.test(key)
  return Object.fromEntries(
    Object.entries(value).map(([field, part]) => [
      field,
      !isPlain && field === 'value' && (typeof part === 'string' || typeof part === 'number')
        ? replaceLiterals(textOf(part), key.toLowerCase(), here, replace)
        : walk(part, field, here, replace, depth + 1),
    ]),
  )
}

function positionOf(value: JsonObject, { at, origin }: Within): Within {
  const id = textOf(value['id'])
  const { data } = value
  const url = [data, value].flatMap((one) => (isObject(one) ? URL_FIELDS.map((field) => textOf(one[field])) : []))
  const address = url.find((text) => text !== '')
  return { at: id === '' ? at : `${at}/${id}`, origin: address === undefined ? origin : originOf(address) }
}

function inField(text: string, name: string, within: Within, replace: ReplaceSecret): string {
  if (URL_FIELDS.includes(name)) return inUrl(text, within, replace)
  if (name === 'bodyContent') return inBody(text, within, replace)
  return SECRET_NAME.test(name) ? replaceLiterals(text, name, within, replace) : text
}

const inUrl = (text: string, within: Within, replace: ReplaceSecret): string =>
  text
    .replace(/^(\s*\w+:\/\/[^/?#@:]*:)([^/?#@]+)(?=@)/, (_, before: string, password: string) => {
      return before + replaceLiterals(password, 'password', within, replace)
    })
    .replace(/([?&])([^?=&#{}]+)=([^&#]+)/g, (written, before: string, name: string, value: string) =>
      SECRET_NAME.test(name) || SECRET_PARAMETER.test(name)
        ? `${before}${name}=${replaceLiterals(value, name, within, replace)}`
        : written,
    )

function inBody(text: string, within: Within, replace: ReplaceSecret): string {
  const isJson = /^\s*[[{]/.test(text)
  const pattern = isJson ? /("([^"\\]*)"\s*:\s*")((?:[^"\\]|\\.)+)/g : /((?:^|&)([^=&]+)=)([^&]+)/g
  return text.replace(pattern, (written, before: string, name: string, value: string) =>
    SECRET_NAME.test(name) ? before + replaceLiterals(value, name, within, replace) : written,
  )
}

/** Replaces the secret references and literal parts of a value; variables and scheme names remain. */
function replaceLiterals(value: string, name: string, { at, origin }: Within, replace: ReplaceSecret): string {
  const position = { at, name, origin }
  return value
    .split(VARIABLE)
    .map((part, index) => {
      if (index % 2 === 1) return secretIdOf(part) === null ? part : replace(part, position)
      const literal = part.trim()
      if (literal.replace(SCHEME, '').trim() === '') return part
      return part.replace(literal, () => replace(literal, position))
    })
    .join('')
}
