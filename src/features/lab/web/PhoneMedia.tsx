import { useEffect, useRef, useState } from 'react'
import { heightsOf } from '#domain/messages/waveform.ts'
import { decodeWave, playAlone, useWave } from '#features/messages/web/media/audio.ts'
import { DocumentCard } from '#features/messages/web/media/media.tsx'
import { call } from '#web/client.ts'
import { formatClock } from '#web/format.ts'
import { t } from '#web/t.ts'
import { PauseFilledIcon, PlayIcon } from '#web/ui/icons.ts'
import { lab } from '../addresses.ts'
import type { LabMessage } from '../contract.ts'
import css from './media.module.css'

type File = NonNullable<LabMessage['file']>

/** Picture, recording, video or document on the phone's narrow screen. */
export function PhoneMedia(props: { phoneId: number; message: LabMessage; file: File; onBroken: () => void }) {
  const { phoneId, message, file, onBroken } = props
  if (message.mediaType === 'image' || message.mediaType === 'sticker') {
    const ratio = file.width && file.height ? `${file.width} / ${file.height}` : undefined
    return (
      <a className={css.picture} href={file.url} target="_blank" rel="noopener">
        <img src={file.url} alt={message.body || file.name} style={{ aspectRatio: ratio }} onError={onBroken} />
      </a>
    )
  }
  if (message.mediaType === 'video')
    return (
      // biome-ignore lint/a11y/useMediaCaption: what a person filmed has no captions
      <video className={css.clip} src={file.url} controls preload="metadata" playsInline onError={onBroken} />
    )
  if (message.mediaType !== 'audio')
    return (
      <span className={css.paper}>
        <DocumentCard file={file} />
      </span>
    )
  const isHeard = message.fromPhone || message.status === 'played'
  return (
    <Voice
      file={file}
      onBroken={onBroken}
      onPlay={() => {
        if (isHeard) return
        call(lab.read, { params: { id: phoneId }, body: { played: message.id } }, { quiet: true }).catch(() => {})
      }}
    />
  )
}

const barsShown = 20

function Voice({ file, onPlay, onBroken }: { file: File; onPlay: () => void; onBroken: () => void }) {
  const audio = useRef<HTMLAudioElement>(null)
  const [isOn, setOn] = useState(false)
  const [at, setAt] = useState(0)
  const [length, setLength] = useState((file.durationMs ?? 0) / 1000)
  const { id, url, size, waveform } = file
  const decoded = useWave(id)
  const wave = waveform ? heightsOf(waveform, barsShown) : decoded?.filter((_, bar) => bar % 2 === 0)
  useEffect(() => {
    if (!url.startsWith('blob:') && !waveform) decodeWave({ id, url, size }) // what is still leaving is drawn once it is stored
  }, [id, url, size, waveform])
  const toggle = () => {
    const player = audio.current
    if (!player) return
    if (!player.paused) return player.pause()
    playAlone(player)
    player.play().then(onPlay, () => setOn(false))
  }
  return (
    <span className={css.voice}>
      {/* biome-ignore lint/a11y/useMediaCaption: a voice note has no captions */}
      <audio
        ref={audio}
        src={url}
        preload="none"
        onPlay={() => setOn(true)}
        onPause={() => setOn(false)}
        onTimeUpdate={(event) => setAt(event.currentTarget.currentTime)}
        onDurationChange={({ currentTarget: { duration } }) => Number.isFinite(duration) && setLength(duration)}
        onEnded={() => setAt(0)}
        onError={onBroken}
      />
      <button type="button" onClick={toggle} aria-label={isOn ? t('Pausar áudio') : t('Ouvir áudio')}>
        {isOn ? <PauseFilledIcon size={18} /> : <PlayIcon size={18} />}
      </button>
      <span className={css.bars} aria-hidden="true">
        {Array.from({ length: barsShown }, (_, bar) => (
          <i
            key={bar}
            data-done={(length > 0 && bar / barsShown < at / length) || undefined}
            style={{ '--h': (wave?.[bar] ?? 0.12).toFixed(2) }}
          />
        ))}
      </span>
      <span className={css.clock}>{formatClock(isOn || at > 0 ? at : length)}</span>
    </span>
  )
}
