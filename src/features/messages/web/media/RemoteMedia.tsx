import { useState } from 'react'
import { remoteOf } from '#domain/messages/data.ts'
import type { MessageRow } from '#features/ledger/message-rows.ts'
import { messages } from '#features/messages/addresses.ts'
import { notifyError } from '#web/api.ts'
import { call } from '#web/client.ts'
import { formatBytes, formatClock } from '#web/format.ts'
import { t } from '#web/t.ts'
import { DownloadIcon, FileIcon, PhotoIcon, RefreshIcon, VideoIcon, VoiceIcon } from '#web/ui/icons.ts'
import { publishChanged } from '../cache/restate.ts'
import css from './remote-media.module.css'

const icons = { image: PhotoIcon, sticker: PhotoIcon, video: VideoIcon, audio: VoiceIcon, document: FileIcon }

const states = {
  coming: t('Baixando…'),
  kept: t('Ainda não baixada'),
  expired: t('Mídia expirada'),
  refused: t('Não é recebida aqui. Veja no celular.'),
}
const ways = {
  kept: { label: t('Baixar'), icon: DownloadIcon },
  expired: { label: t('Pedir de novo'), icon: RefreshIcon },
}

/** Placeholder of a file that is not downloaded: its kind, progress, and a button to request it. */
export function RemoteMedia({ message }: { message: MessageRow }) {
  const [busy, setBusy] = useState(false)
  const remote = remoteOf(message.data)
  if (!remote) return null
  const { name, size, durationMs, thumbnail, state } = remote
  const type = message.mediaType as keyof typeof icons
  const Icon = icons[type] ?? FileIcon
  const way = state === 'kept' || state === 'expired' ? ways[state] : null
  const facts = [states[state], durationMs && formatClock(durationMs / 1000), size && formatBytes(size)]
  const ask = async () => {
    setBusy(true)
    await publishChanged(call(messages.media, { params: { id: message.id } }, { quiet: true })).catch(notifyError)
    setBusy(false)
  }
  return (
    <span className={css.remote} data-room={(type !== 'document' && !message.body) || undefined}>
      {thumbnail && (
        <span className={css.preview}>
          <img src={`data:image/jpeg;base64,${thumbnail}`} alt="" />
        </span>
      )}
      <span className={css.about} role="status">
        <Icon size={19} />
        <span>
          {type === 'document' && <b className="g-cut">{name}</b>}
          <span>{facts.filter(Boolean).join(' · ')}</span>
        </span>
      </span>
      {way && (
        <button type="button" className={css.way} disabled={busy} onClick={() => void ask()}>
          <way.icon size={16} />
          {way.label}
        </button>
      )}
    </span>
  )
}
