import { Readable } from 'node:stream'
import { withoutEnd } from '#domain/text.ts'
import { type Gateway, GatewayRefusal, parsed } from './gateway-calls.ts'
import { type ChannelTools, sendFailure } from './port.ts'

/** Time-out of a file transfer, in ms. */
const FILE_MS = 120_000
/** Maximum size of a response before its file begins, and of a response without a file, in bytes. */
const MOST_START = 256 * 1024
/** Number of characters that show whether the base64 text begins with a data URI prefix (`data:image/png;base64,`). */
const MOST_KIND = 200

type Call = {
  readonly json: object
  readonly headers?: Readonly<Record<string, string>>
  /** Name of the field with the base64 file, case-insensitive. */
  readonly field: string
}

/** Response to a request for a file: the file as a stream, or the parsed response without one. */
export type FileAnswer = { readonly file: Readable } | { readonly file: null; readonly answer: unknown }

/**
 * Requests a file that the gateway embeds in JSON, and decodes it as a stream, never held whole. Fails with
 * `GatewayRefusal`, or as `stream` does without a response; the file fails if the response ends within it.
 */
export const gatewayFiles =
  ({ stream }: Pick<ChannelTools, 'stream'>, { url, headers }: Gateway) =>
  async (path: string, { json, headers: more, field }: Call): Promise<FileAnswer> => {
    const body = JSON.stringify(json)
    const length = String(Buffer.byteLength(body))
    const answer = await stream(withoutEnd(url, /\//) + path, {
      ...{ method: 'POST', body, answerMs: FILE_MS },
      headers: { ...headers, ...more, 'content-type': 'application/json', 'content-length': length },
    })
    const isRefused = answer.status < 200 || answer.status > 299
    const read = await fileIn(answer.body, isRefused ? null : field)
    if (read.file) return read
    if (isRefused) throw new GatewayRefusal(answer.status, read.answer)
    return read
  }

/** Throws the error of a download whose file no longer exists. */
export function expired(): never {
  throw sendFailure('refused', 'Mídia expirada.')
}

/**
 * Reads a response up to its file; without one, returns the parsed response ({} if it is no JSON). `field` null: expects no
 * file.
 */
async function fileIn(body: Readable, field: string | null): Promise<FileAnswer> {
  const opening = field === null ? null : new RegExp(`"${field}"\\s*:\\s*"`, 'i')
  const chunks = body.iterator()
  let start = ''
  for (let isOver = false; ; ) {
    const found = opening?.exec(start)
    const begin = found ? start.slice(found.index + found[0].length) : ''
    const isDecided = begin.length > MOST_KIND || begin.includes('"')
    if (found && (isDecided || isOver)) {
      const text = begin.replace(/^data:[^,"]*,/, '')
      if (!text.startsWith('"')) return { file: Readable.from(decoded(text, chunks), { objectMode: false }) }
    }
    if (isOver || start.length > MOST_START || (found && isDecided)) {
      await chunks.return?.()
      return { file: null, answer: parsed(Buffer.from(start, 'latin1')) ?? {} }
    }
    const { value, done } = await chunks.next()
    if (done) isOver = true
    else start += value.toString('latin1')
  }
}

/** Removes JSON escapes from base64 text, as some programs escape characters of it. */
const unescaped = (text: string): string =>
  text.includes('\\')
    ? text
        .replace(/\\u([0-9a-f]{4})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
        .replaceAll('\\', '')
    : text

/** Decodes base64 text, beginning with `begin`, up to its closing quote. */
async function* decoded(begin: string, chunks: AsyncIterator<Buffer>): AsyncGenerator<Buffer> {
  let raw = begin
  let left = ''
  try {
    for (;;) {
      const end = raw.indexOf('"')
      // An escape sequence may be cut in the middle.
      const until = end < 0 ? raw.length - (/\\u?[0-9a-f]{0,3}$/i.exec(raw.slice(-5))?.[0].length ?? 0) : end
      const text = left + unescaped(raw.slice(0, until))
      const whole = end < 0 ? text.length - (text.length % 4) : text.length
      left = text.slice(whole)
      if (whole > 0) yield Buffer.from(text.slice(0, whole), 'base64')
      if (end >= 0) return
      const { value, done } = await chunks.next()
      if (done) throw new Error('an answer ended within its file')
      raw = raw.slice(until) + value.toString('latin1')
    }
  } finally {
    await chunks.return?.()
  }
}
