import { ledgerOf } from '#features/ledger/server/messages/index.ts'
import type { LedgerTicket } from '#features/ledger/server/ticket/index.ts'
import { AssistantFailure } from '#providers/assistants/port.ts'
import { capabilitiesOf } from '#providers/channels/configs.ts'
import type { Platform } from '#server/platform.ts'
import type { StoredAccount } from '#server/providers/queries.ts'
import { sanitizeForPostgres } from '#server/sanitize.ts'
import { reachAccount } from './adapters.ts'
import type { Deliverable } from './deliver.ts'
import type { CountedCall } from './queries-costs.ts'

/** Maximum size of a generated recording in bytes. */
const MOST_BYTES = 8 * 1024 * 1024
const SPEECH_MS = 30_000

/** Messages of an answer, and the call of the speech model, if one was made. */
export type Spoken = {
  readonly deliverable: readonly Deliverable[]
  readonly call: Omit<CountedCall, 'purpose' | 'ticketId' | 'turnId'> | null
}

/**
 * Converts the texts of an answer to recordings, if its account does so and the channel supports them; the text is stored
 * with the recording. Texts that could not be converted are sent as text.
 */
export async function spokenAnswer(
  platform: Platform,
  tenantId: number,
  { ticket, account }: { readonly ticket: LedgerTicket; readonly account: StoredAccount },
  written: readonly Deliverable[],
): Promise<Spoken> {
  const limit = capabilitiesOf(ticket.channel).files.audio
  const speak = limit && (await reachAccount(platform, tenantId, account))?.adapter.speak
  const text = written.flatMap(({ mediaType, body }) => (mediaType === 'text' ? [body] : [])).join('\n\n')
  if (!limit || !speak || text === '') return { deliverable: written, call: null }
  const begun = performance.now()
  const spoken = await speak(text, AbortSignal.timeout(SPEECH_MS)).then(
    (audio) => ({ audio, error: null }),
    (error: unknown) => ({ audio: null, error: reasonOf(platform, error) }),
  )
  const { speechModel, speechPrice } = account.config
  const call = {
    ...{ id: crypto.randomUUID(), accountId: account.id, provider: account.provider, model: String(speechModel ?? '') },
    ...{ inputTokens: 0, cachedTokens: 0, outputTokens: 0, ms: performance.now() - begun, error: spoken.error },
    cost: spoken.audio ? (text.length / 1000) * Number(speechPrice ?? 0) : 0,
  }
  const { store } = ledgerOf(platform, tenantId, ticket.connection_id)
  const maxBytes = Math.min(limit.maxBytes, MOST_BYTES)
  const { audio } = spoken
  const file = audio && (await store({ name: audio.name, bytes: Buffer.from(audio.bytes), maxBytes }))
  if (!file) return { deliverable: written, call }
  const recording = { mediaType: 'audio', body: '', fileId: file.id, data: { transcript: text }, delayMs: 0 } as const
  return { deliverable: [recording, ...written.filter(({ mediaType }) => mediaType !== 'text')], call }
}

function reasonOf(platform: Platform, error: unknown): string {
  if (error instanceof AssistantFailure) return sanitizeForPostgres(error.message)
  platform.log.error({ err: error }, 'an answer was not spoken')
  return 'A resposta não pôde ser falada.'
}
