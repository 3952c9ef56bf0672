import { useEffect, useRef, useState } from 'react'
import { playAlone } from './audio.ts'

/** Players that continue while their bubble is scrolled away, by URL; the bubble finds its player again when it returns. */
const players = new Map<string, HTMLAudioElement>()

const playerOf = (url: string | null): HTMLAudioElement =>
  (url && players.get(url)) || Object.assign(new Audio(), { preload: 'none' })

/** State and controls of a sound; downloads on the first play. `length` and `at` are in seconds. */
export function useAudio(url: string | null, known: number, onBroken?: () => void) {
  const [audio] = useState(() => playerOf(url))
  const [playing, setPlaying] = useState(!audio.paused)
  const [at, setAt] = useState(audio.currentTime)
  const [length, setLength] = useState(known)
  const broken = useRef(onBroken)
  broken.current = onBroken
  useEffect(() => {
    if (!url) return
    if (audio.paused) audio.src = url
    const listener = {
      play: () => setPlaying(true),
      pause: () => setPlaying(false),
      timeupdate: () => setAt(audio.currentTime),
      durationchange: () => Number.isFinite(audio.duration) && setLength(audio.duration),
      ended: () => setAt(0),
      error: () => broken.current?.(),
    }
    for (const [name, reader] of Object.entries(listener)) audio.addEventListener(name, reader)
    return () => {
      for (const [name, reader] of Object.entries(listener)) audio.removeEventListener(name, reader)
      if (audio.paused) players.delete(url)
      else players.set(url, audio)
    }
  }, [audio, url])
  const toggle = () => {
    if (!audio.paused) return audio.pause()
    playAlone(audio)
    audio.play().catch(() => setPlaying(false))
  }
  const seek = (seconds: number) => {
    if (!(length > 0)) return
    audio.currentTime = Math.max(0, Math.min(length, seconds))
    setAt(audio.currentTime)
  }
  return { audio, playing, at, length, toggle, seek }
}
