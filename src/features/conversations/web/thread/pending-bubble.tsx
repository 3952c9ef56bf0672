import { memo, useEffect, useState } from 'react'
import { unsigned } from '#domain/messages/signature.ts'
import { typeOfMime } from '#domain/messages/types.ts'
import { formatBytes, formatTime } from '#web/format.ts'
import { t } from '#web/t.ts'
import { CloseIcon, FileIcon, LockIcon, RefreshIcon, VoiceIcon } from '#web/ui/icons.ts'
import { Ticks } from '#web/ui/identity/Ticks.tsx'
import { discardItem, retryItem } from '../composer/outbox.ts'
import type { OutboxItem } from '../composer/outbox-state.ts'
import media from '../media/media.module.css'
import { mediaBox } from '../media/media-box.ts'
import css from './bubble.module.css'
import { Quote } from './quote.tsx'
import { RichText } from './rich-text.tsx'

/** A message on its way: looks as it will, with a clock; refused ones say why and offer the ways on. */
export const PendingBubble = memo(function PendingBubble(props: { item: OutboxItem; first: boolean; last: boolean }) {
  const { item, first, last } = props
  const side = item.isNote ? 'note' : 'out'
  const refused = item.state === 'refused'
  const isPicture = item.file && typeOfMime(item.file.mime) === 'image'
  return (
    <div className={css.row} data-side={side} data-first={first || undefined}>
      {refused && (
        <span className={css.way}>
          <span>{item.error}</span>
          <button type="button" onClick={() => retryItem(item.idFront)}>
            <RefreshIcon size={15} />
            {t('Reenviar')}
          </button>
          <button type="button" onClick={() => discardItem(item.idFront)}>
            {t('Descartar')}
          </button>
        </span>
      )}
      <article
        className={css.bubble}
        data-side={side}
        data-last={last || undefined}
        data-failed={refused || undefined}
        data-media={isPicture ? (item.body ? 'inset' : 'cover') : undefined}
        data-room={(item.file && !isPicture && !item.body && !item.isNote) || undefined}
        aria-label={t('Mensagem a caminho')}
      >
        {item.isNote && (
          <header className={css.noteHeader}>
            <LockIcon size={14} />
            <span>{`${t('Nota interna')} · ${item.userName}`}</span>
            <time>{formatTime(item.createdAt)}</time>
          </header>
        )}
        {first && side === 'out' && <b className={css.author}>{item.userName}</b>}
        {item.quoted && <Quote quoted={item.quoted} />}
        {item.file && <FileOnItsWay item={item} file={item.file} />}
        {item.body && (
          <p className={css.text}>
            <RichText text={unsigned(item.body, item.userName)} names={item.named?.map(({ name }) => name) ?? []} />
            {!item.isNote && <i className={css.room} />}
          </p>
        )}
        {!item.isNote && (
          <span className={css.meta}>
            <time>{formatTime(item.createdAt)}</time>
            <Ticks status={refused ? 'failed' : 'pending'} />
          </span>
        )}
      </article>
    </div>
  )
})

function FileOnItsWay({ item, file }: { item: OutboxItem; file: NonNullable<OutboxItem['file']> }) {
  const kind = typeOfMime(file.mime)
  const url = useObjectUrl(kind === 'image' ? file.blob : null)
  const progress = item.state === 'sending' ? (item.progress ?? 0) : 0
  const bar = item.state === 'sending' && (
    <span
      className={css.progress}
      role="progressbar"
      aria-label={t('Enviando')}
      aria-valuenow={Math.round(progress * 100)}
    >
      <i style={{ transform: `scaleX(${progress})` }} />
    </span>
  )
  if (kind === 'image') {
    const box = mediaBox(file)
    return (
      <span className={media.picture} style={{ width: box.width, aspectRatio: `${box.width} / ${box.height}` }}>
        {url && <img src={url} alt={file.name} />}
        {bar}
      </span>
    )
  }
  return (
    <span className={media.document}>
      <span className={media.kind}>{kind === 'audio' ? <VoiceIcon size={20} /> : <FileIcon size={20} />}</span>
      <span className={media.about}>
        <b className="g-cut">{kind === 'audio' ? t('Áudio') : file.name}</b>
        <span>
          {item.state === 'sending'
            ? t('{done} de {all}', { done: formatBytes(file.size * progress), all: formatBytes(file.size) })
            : formatBytes(file.size)}
        </span>
        {bar}
      </span>
      {item.state === 'waiting' && (
        <button
          type="button"
          className={media.download}
          aria-label={t('Não enviar')}
          onClick={() => discardItem(item.idFront)}
        >
          <CloseIcon size={17} />
        </button>
      )}
    </span>
  )
}

/** An address for a blob while the component is on screen. */
export function useObjectUrl(blob: Blob | null): string | null {
  const [url, setUrl] = useState<string | null>(null)
  useEffect(() => {
    if (!blob) return
    const made = URL.createObjectURL(blob)
    setUrl(made)
    return () => URL.revokeObjectURL(made)
  }, [blob])
  return url
}
