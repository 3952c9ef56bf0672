import { Suspense, useState } from 'react'
import { shownText } from '#domain/messages/signature.ts'
import { PROGRAM } from '#domain/messages/types.ts'
import type { MessageRow } from '#features/ledger/message-rows.ts'
import { lazyPart } from '#web/lazy-part.ts'
import { t } from '#web/t.ts'
import { PhotoIcon } from '#web/ui/icons.ts'
import { FileCard, type ShownFile } from './FileCard.tsx'
import css from './media.module.css'
import { mediaBox } from './media-box.ts'

const AudioPlayer = lazyPart(async () => (await import('./AudioPlayer.tsx')).AudioPlayer)
const RareCard = lazyPart(async () => (await import('./RareCard.tsx')).RareCard)
const RemoteMedia = lazyPart(async () => (await import('./RemoteMedia.tsx')).RemoteMedia)
const Zoom = lazyPart(async () => (await import('./Zoom.tsx')).Zoom)

type File = NonNullable<MessageRow['file']>
/** The file of a message: picture, recording, video, sticker or document. */
export function Media({ message, onBroken }: { message: MessageRow; onBroken: () => void }) {
  const { file, mediaType } = message
  if (!file)
    return isRemote(message.data) ? (
      <Suspense fallback={<span className={css.document} />}>
        <RemoteMedia message={message} />
      </Suspense>
    ) : null
  const alt = shownText(message) || file.name
  return <FileView file={file} mediaType={mediaType} alt={alt} message={message} onBroken={onBroken} />
}

/** File of any message, rendered by its media type. */
export function FileView(props: {
  file: File
  mediaType: MessageRow['mediaType']
  alt: string
  /** Message of a conversation with a contact; absent in private chats. */
  message?: MessageRow
  onBroken: () => void
}) {
  const { file, mediaType, alt, message, onBroken } = props
  if (mediaType === 'image' || mediaType === 'sticker')
    return <Picture file={file} alt={alt} sticker={mediaType === 'sticker'} onBroken={onBroken} />
  if (mediaType === 'audio')
    return (
      <Suspense fallback={<div className={css.audio} />}>
        <AudioPlayer file={file} {...(message ? { message } : {})} onBroken={onBroken} />
      </Suspense>
    )
  if (mediaType === 'video') return <Clip file={file} onBroken={onBroken} />
  return <DocumentCard file={file} />
}

const isRemote = (data: unknown): boolean => Boolean((data as { remote?: object } | null)?.remote)

function Picture({
  file,
  alt,
  sticker,
  onBroken,
}: {
  file: File
  alt: string
  sticker: boolean
  onBroken: () => void
}) {
  const [zoomed, setZoomed] = useState(false)
  const [broken, setBroken] = useState('')
  const box = mediaBox(file)
  if (broken === file.url)
    return (
      <span className={css.broken}>
        <PhotoIcon size={17} />
        {t('A imagem não abriu.')}
      </span>
    )
  return (
    <>
      <button
        type="button"
        className={css.picture}
        data-sticker={sticker || undefined}
        style={
          sticker ? { width: 140, height: 140 } : { width: box.width, aspectRatio: `${box.width} / ${box.height}` }
        }
        onClick={() => setZoomed(true)}
        aria-label={t('Ampliar {name}', { name: alt })}
      >
        <img
          src={file.url}
          alt={alt}
          decoding="async"
          onError={() => {
            setBroken(file.url)
            onBroken()
          }}
        />
      </button>
      {zoomed && (
        <Suspense>
          <Zoom file={file} alt={alt} onClose={() => setZoomed(false)} />
        </Suspense>
      )}
    </>
  )
}

function Clip({ file, onBroken }: { file: File; onBroken: () => void }) {
  const box = mediaBox(file)
  return (
    <video
      className={css.clip}
      src={file.url}
      controls
      preload="metadata"
      playsInline
      style={{ width: box.width, aspectRatio: `${box.width} / ${box.height}` }}
      onError={onBroken}
    >
      <track kind="captions" />
    </video>
  )
}

/** Card of a document: kind, name, size and download. */
export function DocumentCard({ file }: { file: ShownFile }) {
  if (file.mime !== PROGRAM && file.mime !== 'message/rfc822') return <FileCard file={file} />
  return (
    <Suspense>
      <RareCard file={file} />
    </Suspense>
  )
}
