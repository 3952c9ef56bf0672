import { pathOf } from '#kit/addresses.ts'
import type { Input } from '#kit/contract.ts'
import { apiError, errorOf, sentence } from '#web/api.ts'
import { refreshSession } from '#web/session/refresh.ts'
import { token } from '#web/session/session.ts'
import { copilot } from '../addresses.ts'
import type { copilot as contract } from '../contract.ts'

/** Request to the copilot. */
export type Wish = Input<typeof contract.ask>['body']

/** Complete answer of the copilot. */
export type CopilotAnswer = { readonly id: string; readonly answer: string }

/** Maximum duration of an answer, in ms. */
const LONGEST_MS = 75_000

/** Asks the copilot; `onPiece` receives each part of the answer. Throws an error with a display text. */
export async function askCopilot(
  ticketId: number,
  wish: Wish,
  { signal, onPiece }: { readonly signal: AbortSignal; readonly onPiece: (piece: string) => void },
): Promise<CopilotAnswer> {
  const send = () =>
    fetch(`/api${pathOf(copilot.ask.path, { id: ticketId })}`, {
      method: copilot.ask.method,
      credentials: 'same-origin',
      signal: AbortSignal.any([signal, AbortSignal.timeout(LONGEST_MS)]),
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token()}` },
      body: JSON.stringify(wish),
    })
  const used = token()
  let response = await send().catch(lost)
  if (response.status === 401 && (await refreshSession(used))) response = await send().catch(lost)
  if (!response.ok) throw new Error(sentence(errorOf(response.status, await response.json().catch(() => null))))
  for await (const row of linesOf(response)) {
    const part = JSON.parse(row) as Partial<CopilotAnswer & { piece: string; error: string }>
    if (part.piece) onPiece(part.piece)
    if (part.error) throw new Error(part.error)
    if (part.id && part.answer !== undefined) return { id: part.id, answer: part.answer }
  }
  return lost()
}

const lost = (): never => {
  throw new Error(sentence(apiError('ERR_NETWORK', 0)))
}

async function* linesOf(response: Response): AsyncGenerator<string> {
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
  let rest = ''
  for (;;) {
    const { done, value } = (await reader?.read().catch(lost)) ?? { done: true, value: undefined }
    const rows = (rest + (value ?? '')).split('\n')
    rest = done ? '' : (rows.pop() ?? '')
    yield* rows.filter((row) => row !== '')
    if (done) return
  }
}
