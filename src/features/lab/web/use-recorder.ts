import { useCallback, useEffect, useRef, useState } from 'react'
import type { Recording } from './samples.ts'

type Running = { recorder: MediaRecorder; stream: MediaStream; parts: Blob[]; since: number }

const wanted = ['audio/ogg;codecs=opus', 'audio/mp4', 'audio/webm;codecs=opus']

/** Records the microphone; `start` returns false if there is none or access is denied. */
export function useRecorder() {
  const running = useRef<Running>(undefined)
  const [since, setSince] = useState<number | null>(null)
  const end = useCallback(() => {
    for (const track of running.current?.stream.getTracks() ?? []) track.stop()
    running.current = undefined
    setSince(null)
  }, [])
  useEffect(() => end, [end])

  const start = useCallback(async (): Promise<boolean> => {
    try {
      const stream = await navigator.mediaDevices.getUserMedia({ audio: true })
      const mimeType = wanted.find((type) => MediaRecorder.isTypeSupported(type))
      const recorder = new MediaRecorder(stream, mimeType ? { mimeType } : {})
      const parts: Blob[] = []
      recorder.ondataavailable = ({ data }) => parts.push(data)
      recorder.start(250)
      running.current = { recorder, stream, parts, since: Date.now() }
      setSince(Date.now())
      return true
    } catch {
      return false
    }
  }, [])
  const stop = useCallback(async (): Promise<Recording | null> => {
    const now = running.current
    if (!now) return null
    await new Promise<void>((resolve) => {
      now.recorder.onstop = () => resolve()
      now.recorder.stop()
    })
    end()
    const [type = 'audio/webm'] = now.recorder.mimeType.split(';')
    const name = `audio.${type.split('/')[1]}`
    return { file: new File(now.parts, name, { type }), durationMs: Date.now() - now.since }
  }, [end])
  return { since, start, stop, cancel: end }
}
