import { acquirePresence, RECORDING } from '#web/alerts/presence.ts'

/** Running recording. */
export type Recording = {
  /** Ends the recording and returns its audio, as Ogg Opus where the browser supports it. */
  stop: () => Promise<Blob>
  cancel: () => void
  pause: () => void
  resume: () => void
  /** Returns the current input level, 0–1. */
  level: () => number
}

const kinds = ['audio/ogg;codecs=opus', 'audio/webm;codecs=opus', 'audio/mp4']

/** Requests the microphone and starts recording; rejects if the person or the page's policy denies it. */
export async function startRecording(): Promise<Recording> {
  const stream = await navigator.mediaDevices.getUserMedia({
    audio: { channelCount: 1, echoCancellation: true, noiseSuppression: true },
  })
  const mimeType = kinds.find((kind) => MediaRecorder.isTypeSupported(kind))
  const recorder = new MediaRecorder(stream, { ...(mimeType ? { mimeType } : {}), audioBitsPerSecond: 24_000 })
  const parts: Blob[] = []
  recorder.ondataavailable = ({ data }) => data.size > 0 && parts.push(data)
  const context = new AudioContext()
  const analyser = context.createAnalyser()
  analyser.fftSize = 256
  context.createMediaStreamSource(stream).connect(analyser)
  const samples = new Uint8Array(analyser.fftSize)
  const hush = acquirePresence(RECORDING)
  const free = () => {
    hush()
    for (const track of stream.getTracks()) track.stop()
    void context.close().catch(() => {})
  }
  let isOver = false
  recorder.start(250)
  return {
    stop: () =>
      new Promise((resolve, reject) => {
        isOver = true
        recorder.onstop = () => {
          free()
          sound(parts, recorder.mimeType).then(resolve, reject)
        }
        recorder.stop()
      }),
    cancel: () => {
      if (isOver) return
      isOver = true
      recorder.stop()
      free()
    },
    pause: () => {
      if (recorder.state === 'recording') recorder.pause()
    },
    resume: () => {
      if (recorder.state === 'paused') recorder.resume()
    },
    level: () => {
      analyser.getByteTimeDomainData(samples)
      const peak = samples.reduce((max, one) => Math.max(max, Math.abs(one - 128)), 0)
      return Math.min(1, peak / 90)
    },
  }
}

async function sound(parts: Blob[], mime: string): Promise<Blob> {
  const whole = new Blob(parts, { type: mime.split(';')[0] ?? 'audio/webm' })
  // The server converts what this browser cannot.
  return (await (await import('./to-voice.ts')).toVoice(whole)) ?? whole
}
