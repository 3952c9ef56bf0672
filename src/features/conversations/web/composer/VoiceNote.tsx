import { useEffect, useRef, useState } from 'react'
import type { TicketDetail } from '#features/conversations/tickets-contract.ts'
import { formatClock } from '#web/format.ts'
import { t } from '#web/t.ts'
import { notify } from '#web/ui/feedback/notify.tsx'
import { ArrowUpIcon, DeleteIcon, OnceIcon, PauseFilledIcon, PlayIcon } from '#web/ui/icons.ts'
import { IconButton } from '#web/ui/inputs/IconButton.tsx'
import { useAudio } from '../media/use-audio.ts'
import { useObjectUrl } from '../media/use-object-url.ts'
import composer from './composer.module.css'
import { type Recording, startRecording } from './recorder.ts'
import css from './voice.module.css'

type Done = { blob: Blob; durationMs: number; once?: boolean }

type Given = { ticket: TicketDetail | null; onSend: (note: Done) => void; onClose: () => void; onRecording: () => void }

/** A voice note: records from the moment it appears, can be heard, thrown away or sent, where it can be to be heard once. */
export function VoiceNote(props: Given) {
  const { ticket, onSend, onClose, onRecording } = props
  const recording = useRef<Recording>(undefined)
  const [since, setSince] = useState<number>()
  const [now, setNow] = useState(0)
  const [levels, setLevels] = useState<readonly number[]>([])
  const [done, setDone] = useState<Done>()
  const [once, setOnce] = useState(false)
  const close = useRef(onClose)
  close.current = onClose
  const started = useRef(onRecording)
  started.current = onRecording

  useEffect(() => {
    let left = false
    startRecording()
      .then((own) => {
        if (left) return own.cancel()
        recording.current = own
        setSince(Date.now())
        started.current()
      })
      .catch(() => {
        notify({ tone: 'warn', title: t('O navegador não deu acesso ao microfone.') })
        close.current()
      })
    return () => {
      left = true
      recording.current?.cancel()
    }
  }, [])

  useEffect(() => {
    if (since === undefined || done) return
    const timer = setInterval(() => {
      setNow(Date.now())
      setLevels((all) => [...all.slice(-38), recording.current?.level() ?? 0])
    }, 100)
    return () => clearInterval(timer)
  }, [since, done])

  const stop = async (): Promise<Done | undefined> => {
    const blob = await recording.current?.stop()
    if (!blob) return undefined
    const finished = { blob, durationMs: Date.now() - (since ?? Date.now()) }
    setDone(finished)
    return finished
  }
  const send = async () => {
    const note = done ?? (await stop())
    if (note) onSend(once ? { ...note, once } : note)
  }
  return (
    <div
      className={css.voice}
      role="group"
      aria-label={t('Gravar áudio')}
      onKeyDown={(event) => event.key === 'Escape' && onClose()}
    >
      <IconButton className={css.tool} onClick={onClose} aria-label={t('Descartar o áudio')}>
        <DeleteIcon size={19} />
      </IconButton>
      {done ? (
        <Listen note={done} />
      ) : (
        <>
          <i className={css.live} />
          <span className={css.since} role="timer">
            {formatClock(since ? Math.max(0, now - since) / 1000 : 0)}
          </span>
          <span className={css.levels} aria-hidden="true">
            {levels.map((level, index) => (
              <i key={index} style={{ transform: `scaleY(${0.12 + 0.88 * level})` }} />
            ))}
          </span>
          <IconButton className={css.tool} onClick={() => void stop()} aria-label={t('Parar e ouvir')}>
            <PauseFilledIcon size={19} />
          </IconButton>
        </>
      )}
      {ticket?.capabilities.viewOnce.includes('audio') && (
        <IconButton
          className={css.tool}
          aria-pressed={once}
          aria-label={t('Visualização única')}
          title={t('O contato ouve uma vez só')}
          onClick={() => setOnce(!once)}
        >
          <OnceIcon size={19} />
        </IconButton>
      )}
      <button type="button" className={composer.round} onClick={() => void send()} aria-label={t('Enviar áudio')}>
        <ArrowUpIcon size={19} />
      </button>
    </div>
  )
}

function Listen({ note }: { note: Done }) {
  const url = useObjectUrl(note.blob)
  const { audio, playing, at, toggle } = useAudio(url, note.durationMs / 1000)
  useEffect(() => () => audio.pause(), [audio])
  const share = Math.min(1, (at * 1000) / note.durationMs)
  return (
    <>
      <IconButton className={css.tool} onClick={toggle} aria-label={playing ? t('Pausar') : t('Ouvir')} autoFocus>
        {playing ? <PauseFilledIcon size={19} /> : <PlayIcon size={19} />}
      </IconButton>
      <span className={css.preview}>
        <i style={{ transform: `scaleX(${share})` }} />
      </span>
      <span className={css.since}>{formatClock(note.durationMs / 1000)}</span>
    </>
  )
}
