import { typeOfMime } from '#domain/messages/types.ts'
import { formatBytes } from '#web/format.ts'
import { t } from '#web/t.ts'
import { CloseIcon, FileIcon, VoiceIcon } from '#web/ui/icons.ts'
import media from '../media/media.module.css'
import { mediaBox } from '../media/media-box.ts'
import { useObjectUrl } from '../media/use-object-url.ts'
import { discardItem } from '../outbox/outbox.ts'
import type { OutboxItem } from '../outbox/outbox-state.ts'
import css from '../parts/bubble.module.css'

/** File of a pending message, with its upload progress. */
export function FileOnItsWay({ item, file }: { item: OutboxItem; file: NonNullable<OutboxItem['file']> }) {
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
