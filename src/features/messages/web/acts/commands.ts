import { whyNotAct } from '#domain/messages/acts.ts'
import { isComment } from '#domain/messages/data.ts'
import { plainText } from '#domain/messages/rich-text.ts'
import { shownText } from '#domain/messages/signature.ts'
import { isRetryable } from '#domain/messages/status.ts'
import { commentEnd } from '#domain/messages/window.ts'
import type { MessageRow } from '#features/ledger/message-rows.ts'
import type { TicketDetail } from '#features/ledger/ticket-rows.ts'
import { messages } from '#features/messages/addresses.ts'
import { notifyError } from '#web/api.ts'
import { call } from '#web/client.ts'
import { may } from '#web/session/permissions.ts'
import { viewer } from '#web/session/session.ts'
import { toTextTarget } from '#web/shell/key-guard.ts'
import { openPath } from '#web/shell/route.ts'
import { t } from '#web/t.ts'
import { confirm } from '#web/ui/feedback/confirm.tsx'
import { notify } from '#web/ui/feedback/notify.tsx'
import {
  BlockIcon,
  BotIcon,
  ColleaguesChatIcon,
  CopyIcon,
  DeleteIcon,
  DoubleCheckIcon,
  DownloadIcon,
  EditIcon,
  EmojiIcon,
  ForwardIcon,
  PinnedIcon,
  RefreshIcon,
  ReplyIcon,
  TaskIcon,
  TrailIcon,
} from '#web/ui/icons.ts'
import type { Command } from '#web/ui/layout/command.ts'
import { acting } from '../acting/acting.ts'
import { chosenMessages } from '../acting/chosen.ts'
import { mayForward } from '../acting/forwardable.ts'
import { publishChanged, restate } from '../cache/restate.ts'
import { loadedThread } from '../cache/thread-cache.ts'
import { isPinned, setPinned } from '../pins/pin.ts'

/** Context that the conversation gives to its message commands; `capabilities` are those of its channel. */
export type Around = {
  readonly ticketId: number
  readonly canQuote: boolean
  readonly readOnly: boolean
  readonly capabilities: TicketDetail['capabilities'] | undefined
  readonly onReply: ((message: MessageRow) => void) | undefined
  /** Returns an undone message to the composer. */
  readonly onUndone: ((message: MessageRow) => void) | undefined
  readonly onTrail: (message: MessageRow) => void
}

const targetOf = (message: MessageRow) => ({
  ...{ fromMe: message.fromMe, isNote: message.isNote, isDeleted: message.isDeleted, type: message.mediaType },
  ...{ hasText: message.body !== '', status: message.status, at: message.timestamp },
  isWaiting: message.sendAt !== null,
})

/** Checks that an action on a message is possible now, with the server's own rules. */
export const mayAct = (
  type: 'edit' | 'revoke' | 'react',
  message: MessageRow,
  { capabilities, readOnly }: Around,
): boolean =>
  !readOnly && capabilities !== undefined && whyNotAct(type, targetOf(message), capabilities, Date.now()) === null

/**
 * Checks that a public comment is still within the time for a private reply; the server alone knows whether it already has
 * one.
 */
const mayAnswerAlone = (message: MessageRow, { capabilities, readOnly }: Around): boolean =>
  !(readOnly || message.fromMe || message.isDeleted) &&
  isComment(message.data) &&
  Date.now() < commentEnd(message.timestamp, capabilities?.commentDays ?? null)

const isOwnNote = (message: MessageRow): boolean => message.isNote && message.userId === viewer().userId

/** Returns the commands of a message; messages of an earlier ticket are read-only here. */
export function commandsOf(given: Around, message: MessageRow): Command[] {
  const isHere = message.ticketId === given.ticketId
  const around = isHere ? given : { ...given, canQuote: false, readOnly: true }
  const { canQuote, readOnly, onReply, onUndone, onTrail, capabilities } = around
  const { file } = message
  const own = message.fromMe && !message.isNote && !readOnly
  const isForwardable = !readOnly && mayForward(message) && Boolean(capabilities?.forward) && may('messages:share')
  const waits = message.fromMe && (message.status === 'pending' || message.status === 'uncertain')
  return [
    {
      id: 'reply',
      label: t('Responder'),
      icon: ReplyIcon,
      when: () => canQuote && !message.isNote && !message.isDeleted && onReply !== undefined,
      run: () => onReply?.(message),
    },
    {
      id: 'comment',
      label: t('Responder em particular…'),
      icon: ReplyIcon,
      when: () => mayAnswerAlone(message, around),
      run: () => acting.set({ what: 'comment', message }),
    },
    {
      id: 'react',
      label: t('Reagir'),
      icon: EmojiIcon,
      when: () => mayAct('react', message, around),
      run: () => acting.set({ what: 'react', message }),
    },
    {
      id: 'forward',
      label: t('Encaminhar'),
      icon: ForwardIcon,
      when: () => isForwardable,
      run: () => acting.set({ what: 'forward', message }),
    },
    {
      id: 'forward-colleague',
      label: t('Encaminhar para Chat Privado'),
      icon: ColleaguesChatIcon,
      when: () => !readOnly && mayForward(message) && may('messages:share') && may('private-chat:use'),
      run: () => acting.set({ what: 'colleague', message }),
    },
    {
      id: 'forward-mail',
      label: t('Encaminhar por e-mail'),
      icon: ForwardIcon,
      when: () => isHere && !readOnly && Boolean(capabilities?.threads) && mayForward(message) && may('messages:share'),
      run: async () => {
        const { forwarded } = await import('../composer/mail-draft.ts')
        for (const one of forwarded(message, loadedThread(message.ticketId)?.messages ?? [])) onUndone?.(one)
      },
    },
    {
      id: 'forward-several',
      label: t('Encaminhar várias'),
      icon: DoubleCheckIcon,
      when: () => isForwardable,
      run: () => chosenMessages.set({ ticketId: message.ticketId, ids: [message.id] }),
    },
    {
      id: 'edit',
      label: t('Editar'),
      icon: EditIcon,
      when: () => mayAct('edit', message, around) || (!readOnly && isOwnNote(message) && !message.isDeleted),
      run: () => acting.set({ what: 'edit', message }),
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
      when: () => own && waits,
      run: () => void restate(message, 'cancel'),
    },
    {
      id: 'task',
      label: t('Criar tarefa'),
      icon: TaskIcon,
      when: () => !message.isDeleted && may('tasks:write'),
      run: () => openPath(`/tarefas?id=novo&atendimento=${message.ticketId}`),
    },
    {
      id: 'pin',
      label: isPinned(message) ? t('Desafixar') : t('Fixar'),
      icon: PinnedIcon,
      when: () => !readOnly && !message.isDeleted && message.sendAt === null && message.status !== 'canceled',
      run: () => void setPinned(message, !isPinned(message)),
    },
    {
      id: 'trail',
      label: t('Histórico de entrega'),
      icon: TrailIcon,
      when: () => !message.isNote || message.edition !== null,
      run: () => onTrail(message),
    },
    {
      id: 'flow',
      label: t('Por que o chatbot fez isso?'),
      icon: BotIcon,
      when: () => message.fromMe && message.sendType === 'bot',
      run: () => acting.set({ what: 'flow', message }),
    },
    {
      id: 'delete',
      label: t('Apagar…'),
      icon: DeleteIcon,
      tone: 'neg',
      when: () =>
        !message.isDeleted &&
        !waits &&
        (mayAct('revoke', message, around) ||
          (!readOnly && message.isNote && (isOwnNote(message) || may('tickets:all')))),
      run: () => void remove(message),
    },
  ]
}

/** Opens the user's last message that is still editable, if any. */
export function editLast(around: Pick<Around, 'ticketId' | 'capabilities'>): void {
  const own = (message: MessageRow) =>
    message.userId === viewer().userId &&
    !message.isNote &&
    mayAct('edit', message, { ...around, readOnly: false } as Around)
  const last = loadedThread(around.ticketId)?.messages.findLast(own)
  if (last) acting.set({ what: 'edit', message: last })
  else notify({ tone: 'info', title: t('Não há mensagem sua que ainda possa ser editada.') })
}

async function remove(message: MessageRow): Promise<void> {
  const question = message.isNote
    ? { title: t('Apagar a nota?'), text: t('Ela fica cinza para a equipe.') }
    : { title: t('Apagar a mensagem?'), text: t('Ela some do aparelho do contato e fica cinza para a equipe.') }
  const isMeant = await confirm({ ...question, action: t('Apagar'), tone: 'neg' })
  toTextTarget()
  if (!isMeant) return
  await publishChanged(call(messages.remove, { body: { id: message.id } }, { quiet: true })).catch(notifyError)
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
