import { typeOfMime } from '#domain/messages/types.ts'
import { formatBytes } from '#web/format.ts'
import { t } from '#web/t.ts'
import { CloseIcon, FileIcon, VideoIcon, VoiceIcon } from '#web/ui/icons.ts'
import { useObjectUrl } from '../thread/pending-bubble.tsx'
import type { Attachment } from './attachments.ts'
import css from './tray.module.css'

/** The files that will leave with the next Enter, each with its caption, inside the composer. */
export function Tray(props: {
  files: readonly Attachment[]
  onCaption: (id: string, caption: string) => void
  onRemove: (id: string) => void
}) {
  return (
    <ul className={css.tray} aria-label={t('Arquivos para enviar')}>
      {props.files.map((file) => (
        <Item key={file.id} file={file} {...props} />
      ))}
    </ul>
  )
}

function Item({ file, files, onCaption, onRemove }: { file: Attachment } & Parameters<typeof Tray>[0]) {
  const kind = typeOfMime(file.blob.type)
  const url = useObjectUrl(kind === 'image' ? file.blob : null)
  return (
    <li className={css.file} data-problem={file.problem ? true : undefined}>
      <span className={css.thumb}>
        {url && <img src={url} alt="" />}
        {kind === 'video' && <VideoIcon size={21} />}
        {kind === 'audio' && <VoiceIcon size={21} />}
        {kind === 'document' && <FileIcon size={21} />}
      </span>
      <span className={css.fileText}>
        <span className="g-cut">{file.name}</span>
        {file.problem ? (
          <small role="alert">{file.problem}</small>
        ) : files.length > 1 ? (
          <input
            value={file.caption}
            onChange={(event) => onCaption(file.id, event.currentTarget.value)}
            placeholder={t('Legenda')}
            aria-label={t('Legenda de {name}', { name: file.name })}
          />
        ) : (
          <small>{`${formatBytes(file.blob.size)} · ${file.isAlone ? t('o texto vai em outra mensagem') : t('o texto vai como legenda')}`}</small>
        )}
      </span>
      <button
        type="button"
        className="g-icon-button"
        onClick={() => onRemove(file.id)}
        aria-label={t('Tirar {name}', { name: file.name })}
      >
        <CloseIcon size={15} />
      </button>
    </li>
  )
}
