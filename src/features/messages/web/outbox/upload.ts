import type { messages } from '#features/messages/addresses.ts'
import type { Answer } from '#kit/contract.ts'
import { apiError, errorOf } from '#web/api.ts'
import { refreshSession } from '#web/session/refresh.ts'
import { token } from '#web/session/session.ts'
import type { OutboxFile } from './outbox-state.ts'

type Sent = Answer<typeof messages.send>

/** Uploads one file with its fields and reports progress (0–1); an XHR, because `fetch` reports none. */
export async function upload<Answered = Sent>(
  /** Path below `/api`. */
  path: string,
  fields: Record<string, string | readonly number[] | undefined>,
  file: OutboxFile,
  onProgress: (progress: number) => void,
): Promise<Answered> {
  const form = new FormData()
  for (const [key, value] of Object.entries(fields))
    for (const one of Array.isArray(value) ? value : [value]) if (one !== undefined) form.append(key, String(one))
  if (file.wish) form.append(file.wish === 'voice' ? 'isVoice' : 'isSticker', 'true')
  if (file.once) form.append('isOnce', 'true')
  const { album } = file
  if (album) {
    form.append('albumId', album.id)
    form.append('albumImages', String(album.images))
    form.append('albumVideos', String(album.videos))
  }
  // Fields come before the file: the server parses the body as a stream.
  form.append('medias', file.blob, file.name)
  const send = () => post(`/api${path}`, form, onProgress)
  const used = token()
  const first = await send()
  const answer = first.status === 401 && (await refreshSession(used)) ? await send() : first
  if (answer.status >= 200 && answer.status < 300) return answer.body as Answered
  throw errorOf(answer.status, answer.body)
}

function post(path: string, form: FormData, onProgress: (progress: number) => void) {
  return new Promise<{ status: number; body: unknown }>((resolve, reject) => {
    const request = new XMLHttpRequest()
    request.open('POST', path)
    request.timeout = 300_000
    request.setRequestHeader('authorization', `Bearer ${token()}`)
    request.upload.onprogress = (event) => event.lengthComputable && onProgress(event.loaded / event.total)
    request.onload = () => resolve({ status: request.status, body: parsed(request.responseText) })
    request.onerror = () => reject(apiError('ERR_NETWORK', 0))
    request.ontimeout = () => reject(apiError('ERR_TIMEOUT', 0))
    request.send(form)
  })
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
