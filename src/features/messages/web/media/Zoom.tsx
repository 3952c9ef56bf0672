import { Modal } from '@mantine/core'
import { useState } from 'react'
import { t } from '#web/t.ts'
import { CloseIcon, DownloadIcon } from '#web/ui/icons.ts'
import { IconButton } from '#web/ui/inputs/IconButton.tsx'
import css from './media.module.css'

/** Full-window view of a picture or film: a click toggles between fitted and full size, Esc closes. */
export function Zoom(props: {
  file: { url: string; name: string }
  alt: string
  isFilm?: boolean
  onClose: () => void
}) {
  const { file, alt, isFilm = false, onClose } = props
  const [full, setFull] = useState(false)
  return (
    <Modal.Root opened onClose={onClose} fullScreen zIndex={60} transitionProps={{ duration: 140, transition: 'fade' }}>
      <Modal.Content className={css.zoom} aria-label={alt}>
        <div className={css.zoomHeader}>
          <span className="g-cut">{file.name}</span>
          <a
            className="g-icon-button"
            href={file.url}
            download={file.name}
            aria-label={t('Baixar {name}', { name: file.name })}
          >
            <DownloadIcon size={20} />
          </a>
          <IconButton onClick={onClose} aria-label={t('Fechar')} data-autofocus>
            <CloseIcon size={20} />
          </IconButton>
        </div>
        {isFilm ? (
          <video className={css.film} src={file.url} controls playsInline>
            <track kind="captions" />
          </video>
        ) : (
          <button
            type="button"
            className={css.zoomed}
            data-full={full || undefined}
            onClick={() => setFull(!full)}
            aria-label={full ? t('Ajustar à tela') : t('Ver em tamanho real')}
          >
            <img src={file.url} alt={alt} />
          </button>
        )}
      </Modal.Content>
    </Modal.Root>
  )
}
