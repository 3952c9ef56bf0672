import { present } from '#domain/present.ts'
import { reached } from './calls.ts'

/** Yields the lines of a response as they arrive, without line breaks; fails if the stream breaks off. */
export async function* linesOf(response: Response, signal: AbortSignal): AsyncGenerator<string> {
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
  if (!reader) return
  let rest = ''
  try {
    for (;;) {
      const { done, value } = await reached(signal, () => reader.read())
      if (done) break
      const rows = (rest + value).split('\n')
      rest = present(rows.pop())
      for (const row of rows) yield row.endsWith('\r') ? row.slice(0, -1) : row
    }
    if (rest !== '') yield rest
  } finally {
    reader.cancel().catch(() => {})
  }
}

/** Server-sent event; `event` is '' if unnamed. */
export type StreamEvent = { readonly event: string; readonly data: string }

/** Yields the events of a stream as they arrive. */
export async function* eventsOf(response: Response, signal: AbortSignal): AsyncGenerator<StreamEvent> {
  let event = ''
  let data: string[] = []
  for await (const row of linesOf(response, signal)) {
    if (row === '') {
      if (data.length > 0) yield { event, data: data.join('\n') }
      event = ''
      data = []
    } else if (row.startsWith('data:')) data.push(row.slice(5).trimStart())
    else if (row.startsWith('event:')) event = row.slice(6).trim()
  }
  if (data.length > 0) yield { event, data: data.join('\n') }
}
