import { Textarea } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { memo, useState } from 'react'
import { isOneEmoji } from '#domain/messages/emoji.ts'
import { FileView } from '#features/messages/web/media/media.tsx'
import { BubbleMenu } from '#features/messages/web/parts/BubbleMenu.tsx'
import css from '#features/messages/web/parts/bubble.module.css'
import { Quote } from '#features/messages/web/parts/quote.tsx'
import { RichText } from '#features/messages/web/parts/rich-text.tsx'
import { quickReactions, ReactionStrip } from '#features/messages/web/thread/reaction-strip.tsx'
import { attempt } from '#web/attempt.ts'
import { call } from '#web/client.ts'
import { formatTime } from '#web/format.ts'
import { viewer } from '#web/session/session.ts'
import { t } from '#web/t.ts'
import { confirm } from '#web/ui/feedback/confirm.tsx'
import {
  BlockIcon,
  CopyIcon,
  DeleteIcon,
  EditIcon,
  EmojiIcon,
  FileIcon,
  ForwardIcon,
  RefreshIcon,
  ReplyIcon,
} from '#web/ui/icons.ts'
import { hueOf, hueStyle } from '#web/ui/identity/hue.ts'
import { Ticks } from '#web/ui/identity/Ticks.tsx'
import type { Command } from '#web/ui/layout/command.ts'
import { privateChat } from '../addresses.ts'
import type { PrivateMessage, PrivatePosition } from '../contract.ts'
import { forwarding } from './forwarding.ts'
import { discard, retry, type Unsent } from './outbox.ts'
import { peerOf } from './paths.ts'
import own from './private-chat.module.css'
import { readThread, takeMessages } from './threads.ts'

type Given = {
  message: PrivateMessage
  isFirst: boolean
  isLast: boolean
  isOwn: boolean
  isGroup: boolean
  readers: readonly PrivatePosition[]
  canWrite: boolean
  onQuote: (message: PrivateMessage) => void
  onOpenQuoted: (id: string) => void
}

const changed = async (asked: Promise<PrivateMessage>): Promise<void> => {
  await attempt(async () => {
    const message = await asked
    takeMessages(peerOf(message), [message])
  })
}

const hasReacted = ({ reactions }: PrivateMessage, emoji: string): boolean =>
  reactions.some((one) => one.userId === viewer().userId && one.emoji === emoji)

const react = (message: PrivateMessage, emoji: string): Promise<void> => {
  const { id } = message
  return changed(
    hasReacted(message, emoji)
      ? call(privateChat.unreact, { params: { id } }, { quiet: true })
      : call(privateChat.react, { params: { id }, body: { emoji } }, { quiet: true }),
  )
}

/** Bubble of a message, with its actions. */
export const ChatBubble = memo(function ChatBubble(props: Given) {
  const { message, isFirst, isLast, isOwn, isGroup, onOpenQuoted } = props
  const [isNear, setNear] = useState(false)
  const [isEditing, setEditing] = useState(false)
  const { text, file, mediaType, quoted, isDeleted } = message
  const side = isOwn ? 'out' : 'in'
  return (
    <div
      className={css.row}
      data-side={side}
      data-first={isFirst || undefined}
      // A move, since entering goes unnoticed where a dialog under the pointer was removed.
      onPointerMove={() => setNear(true)}
      onPointerLeave={() => setNear(false)}
    >
      <article
        className={css.bubble}
        data-long-press
        data-side={side}
        data-last={isLast || undefined}
        data-edited={isEditing || undefined}
        aria-label={t('Mensagem de {name}', { name: message.senderName })}
      >
        {isGroup && isFirst && !isOwn && (
          <b className={css.author} style={{ color: hueStyle(hueOf(message.senderId)).color }}>
            {message.senderName}
          </b>
        )}
        {quoted && !isDeleted && (
          <Quote
            quoted={{ ...quoted, body: quoted.text, fromMe: false, author: quoted.senderName }}
            onOpen={() => onOpenQuoted(quoted.id)}
          />
        )}
        {message.isForwarded && !isDeleted && <Origin ticketId={message.ticketId} />}
        {isDeleted && <Deleted />}
        {file && (
          <FileView
            file={file}
            mediaType={mediaType}
            alt={text || file.name}
            onBroken={() => void readThread(peerOf(message))}
          />
        )}
        {isEditing ? <EditText message={message} onClose={() => setEditing(false)} /> : <Text message={message} />}
        {!isEditing && <Meta {...props} />}
        {!isDeleted && !isEditing && (
          <>
            {isNear && (
              <ReactionStrip
                isOut={isOwn}
                isOwn={(emoji) => hasReacted(message, emoji)}
                onReact={(emoji) => void react(message, emoji)}
              />
            )}
            <BubbleMenu commands={commandsOf(props, () => setEditing(true))} />
          </>
        )}
      </article>
      {message.reactions.length > 0 && <Reactions message={message} />}
    </div>
  )
})

function Deleted() {
  return (
    <p className={css.deleted}>
      <BlockIcon size={15} />
      {t('Mensagem apagada')}
      <i className={css.room} />
    </p>
  )
}

function Text({ message }: { message: PrivateMessage }) {
  const { text } = message
  if (!text) return null
  return (
    <p className={css.text} data-emoji={isOneEmoji(text) || undefined}>
      <RichText text={text} names={message.mentions.map(({ name }) => name)} />
      <i className={css.room} style={message.isEdited ? { width: 116 } : undefined} />
    </p>
  )
}

/** Time of a message, and of an own one whether it was read. */
function Meta({ message, isOwn, isGroup, readers }: Given) {
  const { isDeleted } = message
  return (
    <span className={css.meta}>
      <span>{message.isEdited && !isDeleted && t('editada')}</span>
      <time>{formatTime(message.timestamp)}</time>
      {isOwn && !isDeleted && (
        <span title={isGroup ? readBy(readers) : undefined}>
          <Ticks status={readers.length > 0 ? 'read' : 'sent'} />
        </span>
      )}
    </span>
  )
}

/** Reactions that a message has; pressing one adds or removes the user's own. */
function Reactions({ message }: { message: PrivateMessage }) {
  return (
    <span className={css.reaction}>
      {byEmoji(message).map(([emoji, who]) => (
        <button
          key={emoji}
          type="button"
          className={own.reaction}
          title={who.map(({ name }) => name).join(', ')}
          aria-label={t('{emoji} de {who}', { emoji, who: who.map(({ name }) => name).join(', ') })}
          onClick={() => void react(message, emoji)}
        >
          {emoji}
          {who.length > 1 && <small>{who.length}</small>}
        </button>
      ))}
    </span>
  )
}

/** Mark of a forwarded message, with a link to its ticket. */
function Origin({ ticketId }: { ticketId: number | null }) {
  return (
    <span className={own.from}>
      {t('Encaminhada')}
      {ticketId !== null && (
        <>
          {' · '}
          <Link to={`/atendimento/${ticketId}`}>{t('Atendimento {id}', { id: ticketId })}</Link>
        </>
      )}
    </span>
  )
}

const byEmoji = ({ reactions: all }: PrivateMessage) => [...Map.groupBy(all, ({ emoji }) => emoji)]

const readBy = (readers: readonly PrivatePosition[]): string =>
  readers.length === 0
    ? t('Ninguém leu ainda')
    : t('Lida por {who}', { who: readers.map(({ name }) => name).join(', ') })

function commandsOf({ message, isOwn, canWrite, onQuote }: Given, onEdit: () => void): Command[] {
  const params = { id: message.id }
  // Without hover the emoji strip would never be seen.
  const isTouch = matchMedia('(hover: none)').matches
  return [
    ...(isTouch ? quickReactions : []).map(
      (emoji): Command => ({
        id: `react ${emoji}`,
        label: t('Reagir com {emoji}', { emoji }),
        icon: EmojiIcon,
        run: () => void react(message, emoji),
      }),
    ),
    {
      id: 'reply',
      label: t('Responder'),
      icon: ReplyIcon,
      when: () => canWrite,
      run: () => onQuote(message),
    },
    {
      id: 'forward',
      label: t('Encaminhar'),
      icon: ForwardIcon,
      run: () => forwarding.set(message),
    },
    {
      id: 'copy',
      label: t('Copiar texto'),
      icon: CopyIcon,
      when: () => message.text !== '',
      run: () => void navigator.clipboard?.writeText(message.text),
    },
    {
      id: 'edit',
      label: t('Editar'),
      icon: EditIcon,
      when: () => isOwn && message.text !== '',
      run: onEdit,
    },
    {
      id: 'delete',
      label: t('Apagar…'),
      icon: DeleteIcon,
      tone: 'neg',
      when: () => isOwn,
      run: () =>
        void confirm({
          title: t('Apagar a mensagem?'),
          text: t('Ela some para todos; no lugar fica que foi apagada.'),
          action: t('Apagar'),
          tone: 'neg',
        }).then(async (yes) => {
          if (yes) await changed(call(privateChat.remove, { params }, { quiet: true }))
        }),
    },
  ]
}

/** Inline editor of the user's own message: Enter saves, Esc cancels. */
function EditText({ message, onClose }: { message: PrivateMessage; onClose: () => void }) {
  const [text, setText] = useState(message.text)
  const save = async () => {
    const next = text.trim()
    if (next === '') return
    if (next !== message.text)
      await changed(call(privateChat.edit, { params: { id: message.id }, body: { text: next } }, { quiet: true }))
    onClose()
  }
  return (
    <Textarea
      autoFocus
      autosize
      maxRows={10}
      aria-label={t('Editar a mensagem')}
      description={t('Enter salva, Esc cancela')}
      value={text}
      onChange={(event) => setText(event.currentTarget.value)}
      onKeyDown={(event) => {
        if (event.key === 'Escape') {
          event.stopPropagation()
          onClose()
        }
        if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return
        event.preventDefault()
        void save()
      }}
    />
  )
}

/** Bubble of a message that is being sent, or was refused. */
export function UnsentBubble({ item }: { item: Unsent }) {
  const isRefused = item.state === 'refused'
  return (
    <div className={css.row} data-side="out" data-first>
      {isRefused && (
        <span className={css.way} data-tone="neg">
          <span>{item.error}</span>
          <button type="button" onClick={() => retry(item.id)}>
            <RefreshIcon size={14} />
            {t('Tentar de novo')}
          </button>
          <button type="button" onClick={() => discard(item.id)}>
            {t('Descartar')}
          </button>
        </span>
      )}
      <article className={css.bubble} data-side="out" data-last data-failed={isRefused || undefined}>
        {item.file && (
          <p className={own.file}>
            <FileIcon size={17} />
            {item.file.name}
          </p>
        )}
        {item.text && (
          <p className={css.text}>
            <RichText text={item.text} />
            <i className={css.room} />
          </p>
        )}
        <span className={css.meta}>
          <time>{formatTime(item.createdAt)}</time>
          <Ticks status={isRefused ? 'failed' : 'pending'} />
        </span>
      </article>
    </div>
  )
}
