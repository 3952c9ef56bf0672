import type { FileWish } from '#domain/messages/outgoing-files.ts'
import { typeOfMime } from '#domain/messages/types.ts'
import { formatBytes } from '#web/format.ts'
import { t } from '#web/t.ts'
import { CloseIcon, FileIcon, OnceIcon, StickerIcon, VideoIcon, VoiceIcon } from '#web/ui/icons.ts'
import { IconButton } from '#web/ui/inputs/IconButton.tsx'
import { useObjectUrl } from '../media/use-object-url.ts'
import type { Attachment } from '../outbox/attachments.ts'
import css from './tray.module.css'

type Given = {
  files: readonly Attachment[]
  onChange: (change: (files: readonly Attachment[]) => readonly Attachment[]) => void
  /** Null in an internal conversation, whose files have no such options. */
  onWish: ((file: Attachment, wish: FileWish | 'once' | null) => void) | null
}

const wishes = {
  voice: { label: t('Áudio de voz'), icon: VoiceIcon },
  sticker: { label: t('Figurinha'), icon: StickerIcon },
} as const

/** Attachments of the composer's next message, each with its caption. */
export function Tray(props: Given) {
  return (
    <ul className={css.tray} aria-label={t('Arquivos para enviar')}>
      {props.files.map((file) => (
        <Item key={file.id} file={file} {...props} />
      ))}
    </ul>
  )
}

function Item({ file, files, onChange, onWish }: { file: Attachment } & Given) {
  const { id } = file
  const describe = (caption: string) => onChange((all) => all.map((one) => (one.id === id ? { ...one, caption } : one)))
  const kind = typeOfMime(file.blob.type)
  const url = useObjectUrl(kind === 'image' ? file.blob : null)
  const goes = file.mostCaption === 0 ? t('o texto vai em outra mensagem') : t('o texto vai como legenda')
  return (
    <li className={css.file} data-problem={file.problem ? true : undefined}>
      <Thumb url={url} kind={kind} />
      <span className={css.fileText}>
        <span className="g-cut">{file.name}</span>
        {file.problem ? (
          <small role="alert">{file.problem}</small>
        ) : files.length > 1 && file.mostCaption > 0 ? (
          <input
            value={file.caption}
            onChange={(event) => describe(event.currentTarget.value)}
            placeholder={t('Legenda')}
            aria-label={t('Legenda de {name}', { name: file.name })}
          />
        ) : (
          <small>{`${formatBytes(file.blob.size)} · ${goes}`}</small>
        )}
        {file.notice && <small role="status">{file.notice}</small>}
        {onWish && (file.wishes.length > 0 || file.once !== null) && (
          <span className={css.wishes}>
            {file.wishes.map((wish) => {
              const { label, icon: Icon } = wishes[wish]
              const isWanted = file.wish === wish
              return (
                <button
                  key={wish}
                  type="button"
                  aria-pressed={isWanted}
                  aria-label={t('{kind}: {name}', { kind: label, name: file.name })}
                  onClick={() => onWish(file, isWanted ? null : wish)}
                >
                  <Icon size={14} />
                  {label}
                </button>
              )
            })}
            {file.once !== null && (
              <button
                type="button"
                aria-pressed={file.once}
                aria-label={t('{kind}: {name}', { kind: t('Visualização única'), name: file.name })}
                onClick={() => onWish(file, 'once')}
              >
                <OnceIcon size={14} />
                {t('Visualização única')}
              </button>
            )}
          </span>
        )}
      </span>
      <IconButton
        onClick={() => onChange((all) => all.filter((one) => one.id !== id))}
        aria-label={t('Tirar {name}', { name: file.name })}
      >
        <CloseIcon size={15} />
      </IconButton>
    </li>
  )
}

function Thumb({ url, kind }: { url: string | null; kind: ReturnType<typeof typeOfMime> }) {
  return (
    <span className={css.thumb}>
      {url && <img src={url} alt="" />}
      {kind === 'video' && <VideoIcon size={21} />}
      {kind === 'audio' && <VoiceIcon size={21} />}
      {kind === 'document' && <FileIcon size={21} />}
    </span>
  )
}
