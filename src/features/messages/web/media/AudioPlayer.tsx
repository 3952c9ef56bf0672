import { type KeyboardEvent, Suspense, useEffect, useState } from 'react'
import { heightsOf } from '#domain/messages/waveform.ts'
import type { MessageRow } from '#features/ledger/message-rows.ts'
import { formatClock } from '#web/format.ts'
import { lazyPart } from '#web/lazy-part.ts'
import { t } from '#web/t.ts'
import { PauseFilledIcon, PlayIcon } from '#web/ui/icons.ts'
import { flowScreens } from '../registries/flow-screens.ts'
import { barCount, decodeWave, nextSpeed, useWave } from './audio.ts'
import css from './media.module.css'
import { useAudio } from './use-audio.ts'

const Transcript = lazyPart(async () => await flowScreens().loadTranscript())
const flat = Array.from({ length: barCount }, () => 0.12)

/** Audio player: play and pause, clickable waveform, position and length, speed. Downloads on the first play. */
export function AudioPlayer(props: {
  file: { id: string; url: string; size: number; durationMs: number | null; waveform: readonly number[] | null }
  /** Message of the recording, if any. */
  message?: MessageRow
  onBroken?: () => void
}) {
  const { file, message, onBroken } = props
  const { audio, playing, at, length, toggle, seek } = useAudio(file.url, (file.durationMs ?? 0) / 1000, onBroken)
  const [speed, setSpeed] = useState(1)
  const { id, url, size, waveform } = file
  const decoded = useWave(id)
  const wave = waveform ? heightsOf(waveform, barCount) : (decoded ?? flat)
  const isKnown = waveform !== null
  useEffect(() => {
    if (isKnown) return
    const idle = globalThis.requestIdleCallback ?? ((work: () => void) => setTimeout(work, 200))
    idle(() => decodeWave({ id, url, size }))
  }, [id, url, size, isKnown])

  const player = (
    <div className={css.audio}>
      <button type="button" className={css.play} onClick={toggle} aria-label={playing ? t('Pausar') : t('Ouvir')}>
        {playing ? <PauseFilledIcon size={17} /> : <PlayIcon size={17} />}
      </button>
      <span className={css.track}>
        <Bars wave={wave} seek={seek} at={at} length={length} />
        <SpeedAndTime at={at} length={length} speed={speed} setSpeed={setSpeed} audio={audio} />
      </span>
    </div>
  )
  return (
    <>
      {player}
      {message && (
        <Suspense>
          <Transcript message={message} />
        </Suspense>
      )}
    </>
  )
}

function Bars(props: { wave: readonly number[]; seek: (seconds: number) => void; at: number; length: number }) {
  const { wave, seek, at, length } = props
  const keys = (event: KeyboardEvent) => {
    const step = { ArrowLeft: -5, ArrowRight: 5 }[event.key]
    if (!step) return
    event.preventDefault()
    seek(at + step)
  }
  const share = length > 0 ? at / length : 0
  return (
    <span
      className={css.bars}
      role="slider"
      tabIndex={0}
      aria-label={t('Posição do áudio')}
      aria-valuemin={0}
      aria-valuemax={Math.round(length)}
      aria-valuenow={Math.round(at)}
      aria-valuetext={formatClock(at)}
      onKeyDown={keys}
      onClick={(event) => {
        const box = event.currentTarget.getBoundingClientRect()
        seek(((event.clientX - box.left) / box.width) * length)
      }}
    >
      {wave.map((height, bar) => (
        <i key={bar} data-done={bar / barCount < share || undefined} style={{ '--h': height.toFixed(2) }} />
      ))}
    </span>
  )
}

function SpeedAndTime(props: {
  at: number
  length: number
  speed: number
  setSpeed: (next: number) => void
  audio: HTMLAudioElement
}) {
  const { at, length, speed, setSpeed, audio } = props
  return (
    <span className={css.clock}>
      <span>{at > 0 ? `${formatClock(at)} / ${formatClock(length)}` : formatClock(length)}</span>
      <button
        type="button"
        className={css.speed}
        aria-label={t('Velocidade {speed}', { speed: String(speed).replace('.', ',') })}
        onClick={() => {
          const next = nextSpeed(speed)
          setSpeed(next)
          audio.playbackRate = next
        }}
      >
        {String(speed).replace('.', ',')}×
      </button>
    </span>
  )
}
