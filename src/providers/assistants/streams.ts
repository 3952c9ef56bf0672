import { reached } from './calls.ts'

/** The lines of an answer as they come, without their ends; fails where it breaks off. */
export async function* linesOf(response: Response, signal: AbortSignal): AsyncGenerator<string> {
  const reader = response.body
    ?.pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>)
    .getReader()
  if (!reader) return
  let rest = ''
  try {
    for (;;) {
      const { done, value } = await reached(signal, () => reader.read())
      if (done) break
      const lines = (rest + value).split('\n')
      rest = lines.pop()!
      for (const line of lines) yield line.endsWith('\r') ? line.slice(0, -1) : line
    }
    if (rest !== '') yield rest
  } finally {
    reader.cancel().catch(() => {})
  }
}

/** An event of a stream of server-sent events; `event` is '' where it has no name. */
export type StreamEvent = { readonly event: string; readonly data: string }

/** The events of a stream as they come. */
export async function* eventsOf(response: Response, signal: AbortSignal): AsyncGenerator<StreamEvent> {
  let event = ''
  let data: string[] = []
  for await (const line of linesOf(response, signal)) {
    if (line === '') {
      if (data.length > 0) yield { event, data: data.join('\n') }
      event = ''
      data = []
    } else if (line.startsWith('data:')) data.push(line.slice(5).trimStart())
    else if (line.startsWith('event:')) event = line.slice(6).trim()
  }
  if (data.length > 0) yield { event, data: data.join('\n') }
}
