import { MESSAGE_TYPE_LABELS } from '#domain/messages/types.ts'
import type { Peer } from '#domain/private-chat/conversation.ts'
import { reading } from '#server/context.ts'
import type { Download } from '#server/http/download.ts'
import type { SlowCtx } from '#server/http/route.ts'
import { messagesPdf, type PaperRow } from '#server/messages-pdf.ts'
import { requireConversation } from './conversation.ts'
import { listMessages, type MomentKey, type PrivateRow } from './queries.ts'

const AT_ONCE = 200
const LONGEST_MS = 300_000

/** Returns the user's conversation as a PDF, limited to readable messages; throws 403 for a team they were never in. */
export async function exportConversation(ctx: SlowCtx, peer: Peer): Promise<Download> {
  const { platform, now, user } = ctx
  const { key, name, timezone } = await reading(platform, ctx, async ({ db, settings }) => {
    const conversation = await requireConversation(db, user.id, peer)
    return { ...conversation, timezone: settings.timezone }
  })
  const stream = await messagesPdf({
    title: 'Relatório de Mensagens - Chat privado',
    about: peer.isGroup ? `Equipe ${name}` : `${user.name} e ${name}`,
    ...{ timezone, now, rows: everyRow(ctx, key) },
  })
  return { name: `chat-privado-${peer.id}.pdf`, contentType: 'application/pdf', stream }
}

// A transaction per page, so that a slow download holds no database connection.
async function* everyRow(ctx: SlowCtx, conversation: string): AsyncGenerator<PaperRow[]> {
  const signal = AbortSignal.timeout(LONGEST_MS)
  for (let after: MomentKey | null = null; ; ) {
    signal.throwIfAborted()
    const start: MomentKey | null = after
    const page: readonly PrivateRow[] = await reading(ctx.platform, ctx, ({ db }) =>
      listMessages(db, { userId: ctx.user.id, conversation, before: null, after: start ?? 'first' }, AT_ONCE),
    )
    yield page.map((row) => ({ at: row.sentAt, who: row.senderName, what: textOf(row) }))
    const last = page.at(-1)
    if (!last || page.length < AT_ONCE) return
    after = [last.sentAt.getTime(), last.id]
  }
}

function textOf({ isDeleted, mediaType, text, file, isEdited }: PrivateRow): string {
  if (isDeleted) return '(mensagem apagada)'
  const label = MESSAGE_TYPE_LABELS[mediaType]
  const shown = isEdited ? `${text} (editada)` : text
  return [file ? `[${label}: ${file.name}]` : '', shown].filter(Boolean).join('\n') || `[${label}]`
}
