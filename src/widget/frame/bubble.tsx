import type { ComponentChildren } from 'preact'
import type { VisitorQuote } from '#features/webchat/contract.ts'
import { Audio } from './Audio.tsx'
import type { Chat } from './chat.ts'
import { type Item, quotePreview } from './conversation.ts'
import { sizeText, timeText } from './format.ts'
import { Icon } from './Icon.tsx'
import { localized, t } from './labels.ts'
import { useSwipe } from './swipe.ts'
import { type Piece, pieces } from './text.ts'

const ticks = () =>
  ({
    sent: ['sent', t('Enviada')],
    delivered: ['two', t('Entregue')],
    read: ['two', t('Lida')],
    failed: ['failed', t('Não enviada')],
  }) as const

const Text = ({ of }: { of: Piece[] }) => (
  <>
    {of.map((piece, index) => {
      if (typeof piece === 'string') return piece
      if (piece.mark === 'code') return <code key={index}>{piece.text}</code>
      if (piece.mark === 'link') {
        return (
          <a key={index} href={piece.href} target="_blank" rel="noopener noreferrer nofollow ugc">
            {piece.href}
          </a>
        )
      }
      const Mark = piece.mark
      return (
        <Mark key={index}>
          <Text of={piece.inside} />
        </Mark>
      )
    })}
  </>
)

const Tick = ({ item }: { item: Item }) => {
  const [name, label] =
    item.local === 'sending' ? (['clock', t('Enviando')] as const) : ticks()[item.local ?? item.status]
  return (
    <span class={`tick ${item.local ? '' : item.status}`} role="img" aria-label={label}>
      <Icon name={name} size={15} />
    </span>
  )
}

const Media = ({ item, renew }: { item: Item; renew: () => void }) => {
  const media = item.media
  if (!media) return null
  const address = media.url || item.preview || ''
  if (item.kind === 'image') {
    return (
      <a class="picture" href={media.url || undefined} target="_blank" rel="noopener">
        <img
          src={item.preview ?? address}
          alt={item.body ? '' : t('Imagem: {name}', { name: media.name })}
          onError={renew}
        />
      </a>
    )
  }
  if (item.kind === 'audio' && address) return <Audio src={address} renew={renew} />
  if (item.kind === 'video' && address)
    return (
      <video src={address} controls preload="metadata" onError={renew}>
        <track kind="captions" />
      </video>
    )
  return (
    <a class="file" href={media.url || undefined} target="_blank" rel="noopener" download={media.name}>
      <Icon name="file" size={26} />
      <span>
        <b>{media.name}</b>
        {media.size ? <small>{sizeText(media.size)}</small> : null}
      </span>
    </a>
  )
}

/** Quoted message: its author and text. */
export const Quote = ({ quoted }: { quoted: VisitorQuote }) => (
  <>
    <b>{quoted.fromVisitor ? t('Você') : (quoted.author ?? t('Atendente'))}</b>
    <span>{quotePreview(quoted)}</span>
  </>
)

const showQuoted = (id: string) => {
  const message = document.getElementById(`m-${id}`)
  message?.scrollIntoView({ block: 'center', behavior: 'smooth' })
  message?.querySelector<HTMLElement>('.reply')?.focus({ preventScroll: true })
}

const Tool = ({ name, label, run }: { name: Parameters<typeof Icon>[0]['name']; label: string; run: () => void }) => (
  <button type="button" class="reply" aria-label={label} onClick={run}>
    <Icon name={name} size={18} />
  </button>
)

/** Message: author, content, time, delivery state, and a retry when it failed. */
export const Bubble = ({ item, continues, chat }: { item: Item; continues: boolean; chat: Chat }) => {
  const side = item.fromVisitor ? 'out' : 'in'
  const who: ComponentChildren = item.fromVisitor ? <span class="visually-hidden">{t('Você')}: </span> : item.author
  const isUploading = item.local === 'sending' && item.file && item.progress !== undefined
  const { quoted } = item
  const canQuote = !item.local && !item.deleted
  const swipe = useSwipe(() => canQuote && chat.quote(item))
  return (
    <div class={`message ${side} ${continues ? 'more' : ''}`} id={`m-${item.id}`} {...swipe}>
      <div class={`bubble ${item.kind} ${item.local === 'failed' ? 'bad' : ''}`}>
        {item.fromVisitor ? who : !continues && who ? <b class="author">{who}</b> : null}
        {quoted && !item.deleted && (
          <button
            type="button"
            class="quote"
            aria-label={t('Ver a mensagem citada')}
            onClick={() => showQuoted(quoted.id)}
          >
            <Quote quoted={quoted} />
          </button>
        )}
        {item.deleted ? <i class="gone">{t('Mensagem apagada')}</i> : <Media item={item} renew={chat.renew} />}
        {isUploading && (
          <progress max={1} value={item.progress} aria-label={t('Enviando {name}', { name: item.media?.name ?? '' })} />
        )}
        {!item.deleted && item.body && (
          <p>
            <Text of={pieces(item.fromVisitor || item.author ? item.body : localized(item.body))} />
          </p>
        )}
        {item.footer && <small class="footer">{item.footer}</small>}
        <span class="meta">
          {item.edited && t('editada')}
          <time dateTime={new Date(item.timestamp).toISOString()}>{timeText(item.timestamp)}</time>
          {item.fromVisitor && <Tick item={item} />}
        </span>
        {item.reactions.length > 0 && <Reactions item={item} />}
        {canQuote && <Acts item={item} chat={chat} />}
      </div>
      {item.buttons.length > 0 && <Buttons item={item} chat={chat} />}
      {item.problem && !item.local && (
        <small class="problem" role="alert">
          {item.problem}
        </small>
      )}
      {item.local === 'failed' && <Failed item={item} chat={chat} />}
    </div>
  )
}

/** Acts of the visitor on a message: quoting it, and changing their own or reacting to the company's. */
const Acts = ({ item, chat }: { item: Item; chat: Chat }) => {
  const liked = item.reactions.some(({ fromVisitor }) => fromVisitor)
  return (
    <span class="acts">
      <Tool name="reply" label={t('Responder a esta mensagem')} run={() => chat.quote(item)} />
      {item.fromVisitor ? (
        <>
          {item.kind === 'text' && <Tool name="edit" label={t('Editar')} run={() => chat.edit(item)} />}
          <Tool name="bin" label={t('Apagar')} run={() => chat.act(item, { act: 'revoke' })} />
        </>
      ) : (
        <Tool
          name="thumb"
          label={liked ? t('Tirar a reação') : t('Reagir com 👍')}
          run={() => chat.act(item, { act: 'react', reaction: liked ? '' : '👍' })}
        />
      )}
    </span>
  )
}

const Reactions = ({ item }: { item: Item }) => {
  const emojis = item.reactions.map(({ emoji }) => emoji).join(' ')
  return (
    <span class="reactions" role="img" aria-label={t('Reações: {name}', { name: emojis })}>
      {emojis}
    </span>
  )
}

const Buttons = ({ item, chat }: { item: Item; chat: Chat }) => (
  <span class="buttons">
    {item.buttons.map(({ id, text }) => (
      <button key={id} type="button" onClick={() => chat.act(item, { act: 'press', buttonId: id })}>
        {text}
      </button>
    ))}
  </span>
)

/** Reason that a message was not sent, with a retry. */
const Failed = ({ item, chat }: { item: Item; chat: Chat }) => (
  <div class="failed" role="alert">
    <span>{item.problem}</span>
    <button type="button" onClick={() => chat.outbox.retry(item.id)}>
      {t('Tentar de novo')}
    </button>
    <button type="button" onClick={() => chat.outbox.discard(item.id)}>
      {t('Descartar')}
    </button>
  </div>
)
