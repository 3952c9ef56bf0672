import { fail } from '#kit/errors.ts'
import { parseJson } from '#kit/outside.ts'

/**
 * Parses a body whose content type may be missing or wrong: JSON where it reads as JSON, fields where it is a form, else its
 * text. Throws ERR_VALIDATION for JSON that `parse` refuses, and ERR_FILE_TYPE for anything but text.
 */
export function readAnyBody(
  bytes: Uint8Array,
  contentType = '',
  parse: (text: string) => unknown = parseJson,
): unknown {
  const type = contentType.toLowerCase()
  const text = decoded(bytes, /charset="?([\w-]+)/.exec(type)?.[1]).trim()
  if (text === '') return {}
  const looksLikeJson = /^[[{"]/.test(text)
  const [isJson, isForm] = [
    /^application\/(.+\+)?json\b/.test(type),
    type.startsWith('application/x-www-form-urlencoded'),
  ]
  if (looksLikeJson || isJson) {
    try {
      return parse(text)
    } catch {
      if (looksLikeJson && (isJson || isForm)) return fail('ERR_VALIDATION', { pedido: BROKEN })
    }
  }
  return isForm ? fieldsOf(text) : text
}

const BROKEN = 'O corpo não é um JSON válido. Confira as aspas e as quebras de linha, ou mande só o texto (text/plain).'
const NO_TEXT = 'O corpo não é texto. Mande um arquivo num formulário (multipart/form-data).'

function decoded(bytes: Uint8Array, charset = 'utf-8'): string {
  try {
    return new TextDecoder(charset, { fatal: true }).decode(bytes)
  } catch {
    return fail('ERR_FILE_TYPE', { pedido: NO_TEXT })
  }
}

/** Parses form fields; a text that is merely declared as a form, as `curl -d` does, stays a text. */
function fieldsOf(text: string): unknown {
  if (/\s/.test(text)) return text
  const fields = new URLSearchParams(text)
  return text.includes('=') ? Object.fromEntries(fields) : ([...fields.keys()][0] ?? text)
}
