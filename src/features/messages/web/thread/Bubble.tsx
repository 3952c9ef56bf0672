import { memo, Suspense, useState } from 'react'
import { isComment } from '#domain/messages/data.ts'
import { isOneEmoji } from '#domain/messages/emoji.ts'
import { mentionsOf } from '#domain/messages/mentions.ts'
import { shownText } from '#domain/messages/signature.ts'
import { isRetryable } from '#domain/messages/status.ts'
import { FORWARDED, SYNCED } from '#domain/messages/types.ts'
import type { MessageRow } from '#features/ledger/message-rows.ts'
import { formatTime } from '#web/format.ts'
import { lazyPart } from '#web/lazy-part.ts'
import { viewer } from '#web/session/session.ts'
import { t } from '#web/t.ts'
import { BlockIcon, LockIcon } from '#web/ui/icons.ts'
import { hueOf, hueStyle } from '#web/ui/identity/hue.ts'
import { Ticks } from '#web/ui/identity/Ticks.tsx'
import { acting } from '../acting/acting.ts'
import { chosenMessages } from '../acting/chosen.ts'
import { Media } from '../media/media.tsx'
import { BubbleMenu } from '../parts/BubbleMenu.tsx'
import css from '../parts/bubble.module.css'
import { Quote } from '../parts/quote.tsx'
import { RichText } from '../parts/rich-text.tsx'
import type { BubbleActions } from './use-bubble-actions.ts'

const parts = () => import('./rare-parts.ts')
const LinkCard = lazyPart(async () => (await parts()).LinkCard)
const Album = lazyPart(async () => (await parts()).Album)
const DataCard = lazyPart(async () => (await parts()).DataCard)
const Mail = lazyPart(async () => (await parts()).Mail)
const Reactions = lazyPart(async () => (await parts()).Reactions)
const ChooseMessage = lazyPart(async () => (await parts()).ChooseMessage)
const InlineEdit = lazyPart(async () => (await parts()).InlineEdit)
const ReactStrip = lazyPart(async () => (await parts()).ReactStrip)
const Way = lazyPart(async () => (await parts()).Way)
const Refused = lazyPart(async () => (await parts()).Refused)

const withoutText = new Set(['location', 'contact'])
const hasCard = new Set([...withoutText, 'buttons', 'list', 'cta_url', 'location_request', 'form', 'poll'])

/** Message of a conversation: bubble, note or line, with its commands. Re-renders only when the message changes. */
export const Bubble = memo(function Bubble(props: {
  message: MessageRow
  first: boolean
  last: boolean
  /** Messages of the same bubble; the first is `message`. */
  album?: readonly MessageRow[] | undefined
  found: boolean
  mark: string | undefined
  actions: BubbleActions
}) {
  const { message, first, last, album, found, mark, actions } = props
  const isEdited = acting.use((one) => one?.what === 'edit' && one.message.id === message.id)
  const [isNear, setNear] = useState(false)
  const side = message.isNote ? 'note' : message.fromMe ? 'out' : 'in'
  const failed = message.fromMe && !message.isNote && isRetryable(message.status)
  return (
    <div
      className={css.row}
      data-side={side}
      data-first={first || undefined}
      data-found={found || undefined}
      // A move, since entering goes unnoticed where a dialog under the pointer was removed.
      onPointerMove={() => setNear(true)}
      onPointerLeave={() => setNear(false)}
    >
      <BesideBubble message={message} failed={failed} actions={actions} />
      {message.sendAt && message.status === 'pending' && message.userId === viewer().userId && (
        <UndoSending actions={actions} message={message} />
      )}
      <article
        className={css.bubble}
        data-long-press
        data-side={side}
        data-last={last || undefined}
        data-failed={(failed && message.status === 'failed') || undefined}
        data-media={bare(message) || undefined}
        data-sticker={(message.mediaType === 'sticker' && !message.isDeleted) || undefined}
        data-room={isCard(message) || undefined}
        data-edited={isEdited || undefined}
        aria-label={spoken(message)}
      >
        <BubbleHeader message={message} first={first} side={side} />
        {isEdited ? (
          <Suspense>
            <InlineEdit message={message} />
          </Suspense>
        ) : (
          <Body message={message} album={album} mark={mark} actions={actions} />
        )}
        {!message.isNote && !isEdited && <Meta message={message} />}
        <Suspense>{isNear && !album && <ReactStrip message={message} actions={actions} />}</Suspense>
        {!album && !isEdited && <BubbleMenu load={() => actions.commandsOf(message)} />}
      </article>
      <BelowBubble message={message} />
    </div>
  )
})

function BesideBubble({ message, failed, actions }: { message: MessageRow; failed: boolean; actions: BubbleActions }) {
  const refused = message.acts.find(({ status }) => status === 'failed')
  return (
    (failed || refused) && (
      <Suspense>
        {failed && <Way message={message} actions={actions} />}
        {refused && <Refused message={message} what={refused.type} actions={actions} />}
      </Suspense>
    )
  )
}

function BelowBubble({ message }: { message: MessageRow }) {
  const isChoosing = chosenMessages.use() !== null
  return (
    (isChoosing || hasReactions(message)) && (
      <Suspense>
        {hasReactions(message) && <Reactions message={message} />}
        {isChoosing && <ChooseMessage message={message} />}
      </Suspense>
    )
  )
}

function UndoSending({ actions, message }: { actions: BubbleActions; message: MessageRow }) {
  return (
    <span className={css.way} data-tone="plain">
      <button type="button" onClick={() => actions.undo(message)}>
        {t('Desfazer')}
      </button>
    </span>
  )
}

function BubbleHeader({ message, first, side }: { message: MessageRow; first: boolean; side: 'note' | 'out' | 'in' }) {
  return (
    <>
      {message.isNote && (
        <header className={css.noteHeader}>
          <LockIcon size={14} />
          <span>
            {t('Nota interna')}
            {message.userName ? ` · ${message.userName}` : ''}
          </span>
          <time>{formatTime(message.timestamp)}</time>
        </header>
      )}
      {first && side === 'out' && authorOf(message) && <b className={css.author}>{authorOf(message)}</b>}
      {first && message.sender && (
        <b className={css.author} style={{ color: hueStyle(hueOf(message.sender.id)).color }}>
          {message.sender.name}
        </b>
      )}
    </>
  )
}

function Body(props: {
  message: MessageRow
  album: readonly MessageRow[] | undefined
  mark: string | undefined
  actions: BubbleActions
}) {
  const { message, album, mark, actions } = props
  if (message.isDeleted) return <DeletedBody message={message} />
  const { quotedMsg, mediaType } = message
  // Shows an edited text at once; a clock marks it until it is delivered.
  const wanted = message.acts.findLast(({ type, status }) => type === 'edit' && status === 'pending')?.body
  const shown = withoutText.has(mediaType) ? '' : shownText(wanted ? { ...message, body: wanted } : message)
  const header = (message.data as { header?: string } | null)?.header
  const text = shown && (
    <p className={css.text} data-emoji={isOneEmoji(shown) || undefined} data-type={mediaType}>
      <RichText text={shown} names={namesIn(message)} {...(mark ? { mark } : {})} />
      {!message.isNote && <i className={css.room} style={roomOf(message)} />}
    </p>
  )
  return (
    <>
      {quotedMsg && <Quote quoted={quotedMsg} onOpen={() => actions.openQuoted(quotedMsg.id)} />}
      {album ? (
        <Suspense fallback={<span className={css.albumRoom} />}>
          <Album messages={album} actions={actions} />
        </Suspense>
      ) : (
        <Media message={message} onBroken={actions.refresh} />
      )}
      {message.linkCard && (
        <Suspense fallback={<span className={css.linkRoom} />}>
          <LinkCard card={message.linkCard} />
        </Suspense>
      )}
      {header && <b>{header}</b>}
      {(message.data as { mail?: object } | null)?.mail ? (
        <Suspense fallback={text}>
          <Mail message={message}>{text}</Mail>
        </Suspense>
      ) : (
        text
      )}
      {hasCard.has(mediaType) && (
        <Suspense fallback={<span className={css.cardRoom} />}>
          <DataCard message={message} onStart={actions.start} />
        </Suspense>
      )}
    </>
  )
}

function DeletedBody({ message }: { message: MessageRow }) {
  return (
    <>
      <p className={css.deleted}>
        <BlockIcon size={15} />
        {message.fromMe ? t('Mensagem apagada') : t('O contato apagou esta mensagem')}
        {!message.body && <i className={css.room} />}
      </p>
      {message.body && (
        <p className={css.gone}>
          {shownText(message)}
          <i className={css.room} style={roomOf(message)} />
        </p>
      )}
    </>
  )
}

// Names are mentions in notes and in messages to a group only.
const namesIn = ({ isNote, data, mentions }: MessageRow): readonly string[] =>
  isNote ? mentionsOf(data).named.map(({ name }) => name) : (mentions?.people ?? [])

const hasReactions = ({ reaction, reactionFromMe, acts }: MessageRow): boolean =>
  Boolean(reaction || reactionFromMe) || acts.some(({ type }) => type === 'react')

const isGhost = ({ mentions }: MessageRow): boolean => mentions?.everyone === 'hidden'

/** Returns the labels beside a message's time. */
const labelsOf = (message: MessageRow): string =>
  [
    isComment(message.data) && t('comentário público'),
    message.sendType === FORWARDED && t('encaminhada'),
    message.edition && t('editada'),
    message.syncTime && t('sincronizada'),
    isGhost(message) && t('a todos'),
    (message.data as { viewOnce?: true } | null)?.viewOnce && t('só uma vez'),
    message.isLate && t('atrasada'),
    (message.data as { byMail?: { label: string } } | null)?.byMail?.label,
  ]
    .filter(Boolean)
    .join(' · ')

/** Space reserved at the end of the last line for time and labels, 6 px a letter. */
const roomOf = (message: MessageRow) => {
  const { length } = labelsOf(message)
  return length > 0 ? { width: length * 6 + 68 } : undefined
}

/** Time and delivery ticks at the lower right; over the picture where there is no text. */
function Meta({ message }: { message: MessageRow }) {
  return (
    <span className={css.meta}>
      {message.acts.some(({ status }) => status === 'pending') && <Ticks status="pending" />}
      <span title={message.isLate ? t('Chegou depois: o canal atrasou a entrega') : undefined}>
        {labelsOf(message)}
      </span>
      <time>{formatTime(message.timestamp)}</time>
      {message.fromMe && <Ticks status={message.status} />}
    </span>
  )
}

/** Returns the author: a colleague, or the product itself; null for a message written on the company's own phone. */
const authorOf = ({ userName, sendType }: MessageRow): string | null =>
  userName ?? (sendType === 'chat' || sendType === SYNCED ? null : t('Mensagem automática'))

/** Layout of a picture or clip: `cover` without text (time on top of it), `inset` with text, else false. */
const bare = ({ mediaType, body, isDeleted, isNote }: MessageRow): 'cover' | 'inset' | false => {
  if (isDeleted || !['image', 'video', 'sticker'].includes(mediaType)) return false
  return body || isNote ? 'inset' : 'cover'
}

/** Checks for a card without text, whose time needs a line of its own. */
const isCard = ({ mediaType, body, isDeleted, isNote }: MessageRow): boolean =>
  !isDeleted && !isNote && (hasCard.has(mediaType) || (mediaType === 'document' && body === ''))

const spoken = (message: MessageRow): string => {
  if (message.isNote) return t('Nota interna de {name}', { name: message.userName ?? t('alguém da equipe') })
  return message.fromMe
    ? t('Mensagem de {name}', { name: authorOf(message) ?? t('alguém da equipe') })
    : message.sender
      ? t('Mensagem de {name}', { name: message.sender.name })
      : t('Mensagem do contato')
}
