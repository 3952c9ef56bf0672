import { useMemo, useRef } from 'react'
import { shownText } from '#domain/messages/signature.ts'
import { isRetryable } from '#domain/messages/status.ts'
import { messages, schedules } from '#features/conversations/addresses.ts'
import type { MessageRow } from '#features/conversations/messages-contract.ts'
import { notifyError } from '#web/api.ts'
import { call } from '#web/client.ts'
import { t } from '#web/t.ts'
import { notify } from '#web/ui/feedback/notify.tsx'
import { BlockIcon, CopyIcon, DownloadIcon, RefreshIcon, ReplyIcon, TrailIcon } from '#web/ui/icons.ts'
import type { Command } from '#web/ui/layout/command.ts'
import type { BubbleActions } from './Bubble.tsx'
import { plainText } from './rich-text.ts'
import { applyToThread, loadedThread, refreshThread } from './thread-cache.ts'

type Given = {
  ticketId: number
  canQuote: boolean
  readOnly: boolean
  onReply: ((message: MessageRow) => void) | undefined
  onUndone: ((message: MessageRow) => void) | undefined
  onShow: (timestamp: number) => Promise<void>
  onTrail: (message: MessageRow) => void
}

/** What bubbles can do, as one object that never changes, so that no bubble draws again because of it. */
export function useBubbleActions(given: Given): BubbleActions {
  const now = useRef(given)
  now.current = given
  return useMemo<BubbleActions>(
    () => ({
      openQuoted: (id) => void openQuoted(now.current, id),
      refresh: () => refreshOnce(now.current.ticketId),
      resend: (message) => void restate(message, 'retry'),
      cancel: (message) => void restate(message, 'cancel'),
      undo: (message) => void undo(message).then((done) => done && now.current.onUndone?.(message)),
      commandsOf: (message) => commandsOf(now.current, message),
    }),
    [],
  )
}

const refreshed = new Map<number, number>()

// Links live an hour; a picture that is really broken must not make the thread read itself again and again.
function refreshOnce(ticketId: number): void {
  if (Date.now() - (refreshed.get(ticketId) ?? 0) < 5 * 60_000) return
  refreshed.set(ticketId, Date.now())
  void refreshThread(ticketId)
}

async function openQuoted({ ticketId, onShow }: Given, id: string): Promise<void> {
  const loaded = loadedThread(ticketId)?.messages.find((message) => message.id === id)
  if (loaded) return onShow(loaded.timestamp)
  // Message ids are UUIDv7: the first 48 bits are the moment it was stored, close enough to find its page.
  const stored = Number.parseInt(id.replace('-', '').slice(0, 12), 16)
  if (Number.isFinite(stored)) await onShow(stored)
}

async function restate(message: MessageRow, operation: 'retry' | 'cancel'): Promise<void> {
  try {
    const next = await call(messages[operation], { params: { id: message.id } }, { quiet: true })
    applyToThread(message.ticketId, { type: 'update', payload: { message: next } })
  } catch (error) {
    notifyError(error)
  }
}

async function undo({ id, ticketId }: MessageRow): Promise<boolean> {
  try {
    const { status, ack } = await call(schedules.remove, { body: { id } }, { quiet: true })
    applyToThread(ticketId, { type: 'ack', payload: { id, ticketId, status, ack, errorCode: null, isLast: false } })
    return true
  } catch (error) {
    notifyError(error)
    return false
  }
}

function commandsOf({ canQuote, readOnly, onReply, onTrail }: Given, message: MessageRow): Command[] {
  const { file } = message
  const own = message.fromMe && !message.isNote && !readOnly
  return [
    {
      id: 'reply',
      label: t('Responder'),
      icon: ReplyIcon,
      when: () => canQuote && !message.isNote && onReply !== undefined,
      run: () => onReply?.(message),
    },
    {
      id: 'copy',
      label: t('Copiar texto'),
      icon: CopyIcon,
      when: () => message.body !== '',
      run: () => void copy(shownText(message)),
    },
    {
      id: 'download',
      label: t('Baixar arquivo'),
      icon: DownloadIcon,
      when: () => file !== null,
      run: () => file && download(file),
    },
    {
      id: 'resend',
      label: t('Reenviar'),
      icon: RefreshIcon,
      when: () => own && isRetryable(message.status),
      run: () => void restate(message, 'retry'),
    },
    {
      id: 'cancel',
      label: t('Cancelar envio'),
      icon: BlockIcon,
      when: () => own && (message.status === 'pending' || message.status === 'uncertain'),
      run: () => void restate(message, 'cancel'),
    },
    {
      id: 'trail',
      label: t('Caminho da mensagem'),
      icon: TrailIcon,
      when: () => !message.isNote,
      run: () => onTrail(message),
    },
  ]
}

async function copy(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(plainText(text))
    notify({ tone: 'pos', title: t('Texto copiado') })
  } catch {
    notify({ tone: 'warn', title: t('O navegador não deixou copiar.') })
  }
}

function download(file: NonNullable<MessageRow['file']>): void {
  const link = document.createElement('a')
  link.href = file.url
  link.download = file.name
  link.click()
}
