import type { Recorder } from '#domain/voice/calls.ts'
import { currentSocket } from '#web/realtime/realtime.ts'
import { SOUND_PACKET } from '../addresses.ts'
import workletUrl from './sound-worklet.ts?worker&url'

/** Running sound of a call. */
export type CallSound = { readonly mute: (isMuted: boolean) => void; readonly close: () => void }

/**
 * Opens microphone and loudspeaker for the call on this page, and reports the recorder's state; rejects if the person or the
 * browser denies it.
 */
export async function openSound(report: (state: Recorder) => void): Promise<CallSound> {
  const stream = await navigator.mediaDevices.getUserMedia({
    audio: { channelCount: 1, echoCancellation: true, noiseSuppression: true },
  })
  const context = new AudioContext()
  const free = () => {
    for (const track of stream.getTracks()) track.stop()
    void context.close().catch(() => {})
  }
  try {
    await context.audioWorklet.addModule(workletUrl)
  } catch (error) {
    free()
    throw error
  }
  const loudspeaker = new AudioWorkletNode(context, 'loudspeaker', { numberOfInputs: 0, outputChannelCount: [1] })
  loudspeaker.connect(context.destination)
  const socket = currentSocket()
  const play = (frame: ArrayBuffer) => loudspeaker.port.postMessage(frame, [frame])
  socket?.on(SOUND_PACKET, play)
  const microphone = new AudioWorkletNode(context, 'microphone', { numberOfOutputs: 0 })
  let isRecording = false
  microphone.port.onmessage = ({ data }: MessageEvent<ArrayBuffer>) => {
    // What cannot be sent at once is dropped: late sound is worse than none.
    socket?.volatile.emit(SOUND_PACKET, data)
    if (!isRecording) report('recording')
    isRecording = true
  }
  context.createMediaStreamSource(stream).connect(microphone)
  report('ready')
  void context.resume()
  return {
    mute: (isMuted) => {
      for (const track of stream.getAudioTracks()) track.enabled = !isMuted
    },
    close: () => {
      socket?.off(SOUND_PACKET, play)
      free()
    },
  }
}

/** Rings until the returned function is called: two tones every three seconds. */
export function startRinging(): () => void {
  const context = new AudioContext()
  const ring = () => {
    for (const [at, pitch] of [
      [0, 880],
      [0.25, 660],
    ] as const) {
      const tone = context.createOscillator()
      const volume = context.createGain()
      tone.frequency.value = pitch
      volume.gain.value = 0.08
      tone.connect(volume).connect(context.destination)
      tone.start(context.currentTime + at)
      tone.stop(context.currentTime + at + 0.2)
    }
  }
  ring()
  const timer = setInterval(ring, 3000)
  return () => {
    clearInterval(timer)
    void context.close().catch(() => {})
  }
}
