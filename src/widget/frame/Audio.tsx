import { useRef, useState } from 'preact/hooks'
import { durationText } from './format.ts'
import { Icon } from './Icon.tsx'
import { t } from './labels.ts'

const SPEEDS = [1, 1.5, 2]
let playing: HTMLAudioElement | null = null

/** Player of a voice note: play, position, speed; one plays at a time. */
export const Audio = ({ src, renew }: { src: string; renew: () => void }) => {
  const audio = useRef<HTMLAudioElement>(null)
  const [isOn, setOn] = useState(false)
  const [at, setAt] = useState(0)
  const [length, setLength] = useState(0)
  const [speed, setSpeed] = useState(0)
  const player = () => audio.current as HTMLAudioElement
  const toggle = () => {
    if (isOn) return player().pause()
    if (playing !== player()) playing?.pause()
    playing = player()
    playing.play().catch(renew)
  }
  const faster = () => {
    const next = (speed + 1) % SPEEDS.length
    setSpeed(next)
    player().playbackRate = SPEEDS[next] ?? 1
  }
  return (
    <div class="voice">
      <audio
        ref={audio}
        src={src}
        preload="metadata"
        onPlay={() => setOn(true)}
        onPause={() => setOn(false)}
        onTimeUpdate={() => setAt(player().currentTime)}
        onDurationChange={() => setLength(Number.isFinite(player().duration) ? player().duration : 0)}
        onError={renew}
      >
        <track kind="captions" />
      </audio>
      <button type="button" class="round" aria-label={isOn ? t('Pausar áudio') : t('Ouvir áudio')} onClick={toggle}>
        <Icon name={isOn ? 'pause' : 'play'} size={17} />
      </button>
      <input
        type="range"
        min={0}
        max={length || 1}
        step={0.1}
        value={at}
        aria-label={t('Posição do áudio')}
        aria-valuetext={t('{at} de {length}', { at: durationText(at), length: durationText(length) })}
        onInput={(event) => {
          player().currentTime = Number(event.currentTarget.value)
        }}
      />
      <button
        type="button"
        class="speed"
        aria-label={t('Velocidade {name}×', { name: SPEEDS[speed] ?? 1 })}
        onClick={faster}
      >
        {String(SPEEDS[speed]).replace('.', ',')}×
      </button>
      <small>{durationText(isOn || at ? at : length)}</small>
    </div>
  )
}
