import { Readable } from 'node:stream'
import { withoutEnd } from '#domain/text.ts'
import { type Gateway, GatewayRefusal, parsed } from './gateway-calls.ts'
import { type ChannelTools, sendFailure } from './port.ts'

/** So long a file may be on its way. */
const FILE_MS = 120_000
/** So far an answer is read before its file begins; one without a file is no longer. */
const MOST_START = 256 * 1024
/** So much of what stands for a file says whether it begins with its kind (`data:image/png;base64,`). */
const MOST_KIND = 200

type Call = {
  readonly json: object
  readonly headers?: Readonly<Record<string, string>>
  /** The field that holds the file as base64, whatever its capitals. */
  readonly field: string
}

/** What a gateway answered that was asked for a file: the file as it comes, else whatever it said instead. */
export type FileAnswer = { readonly file: Readable } | { readonly file: null; readonly answer: unknown }

/**
 * Asks a gateway for a file that it puts into its JSON: what comes is decoded as it comes, and never held whole. Fails with
 * `GatewayRefusal`, or as `stream` does where no answer came; the file fails where the answer ends within it.
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

/** Fails as a download does of which whoever had the file has it no more. */
export function expired(): never {
  throw sendFailure('refused', 'Mídia expirada.')
}

/** Reads an answer up to its file; null for a field: it has none. What is no JSON is {}. */
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

/** What base64 is written with in JSON, by those who write some of it otherwise. */
const unescaped = (text: string): string =>
  text.includes('\\')
    ? text
        .replace(/\\u([0-9a-f]{4})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
        .replaceAll('\\', '')
    : text

/** The bytes of a base64 text up to its closing quote, which begins with `begin`. */
async function* decoded(begin: string, chunks: AsyncIterator<Buffer>): AsyncGenerator<Buffer> {
  let raw = begin
  let left = ''
  try {
    for (;;) {
      const end = raw.indexOf('"')
      // An escape may be cut in the middle.
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
