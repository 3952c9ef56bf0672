import { type Sound, samplesOf, tones } from './tones.ts'

let context: AudioContext | undefined
let playing = 0
const buffers = new Map<Sound, AudioBuffer>()

/** Whether the user has touched the page; before that a browser plays no sound. */
const isTouched = () => navigator.userActivation?.hasBeenActive ?? true

/** Unlocks sound on this page; call it in a click or key handler. Returns whether sound is unlocked. */
export function unlock(): boolean {
  if (context) return true
  if (!isTouched() || !globalThis.AudioContext) return false
  context = new AudioContext()
  rest()
  return true
}

// Delay before the audio context is created, which takes longer than a frame: after the click's result is drawn, while
// the browser still counts it as a result of the click (Safari: one second).
const afterClickMs = 600

/** Unlocks sounds at the first click or key on this page, and calls `onUnlocked` once. */
export function unlockOnTouch(onUnlocked: () => void): void {
  const events = ['click', 'keydown'] as const
  const touch = () => {
    if (!isTouched()) return
    for (const event of events) removeEventListener(event, touch, true)
    setTimeout(() => unlock() && onUnlocked(), afterClickMs)
  }
  for (const event of events) addEventListener(event, touch, true)
  touch()
}

const startWithinMs = 500

/** Plays a sound, `volume` from 0 to 100; silent on a page without unlocked sound. */
export async function play(sound: Sound, volume: number): Promise<void> {
  if (!context || volume <= 0) return
  playing += 1
  await Promise.race([context.resume().catch(() => {}), new Promise((done) => setTimeout(done, startWithinMs))])
  if (context.state !== 'running') return ended()
  const source = context.createBufferSource()
  source.buffer = bufferOf(sound, context)
  const gain = context.createGain()
  gain.gain.value = (volume / 100) ** 2 // ears hear steps of this as even
  source.connect(gain).connect(context.destination)
  source.onended = ended
  source.start()
}

function ended(): void {
  playing -= 1
  if (playing === 0) rest()
}

/** Suspends the audio context, because a running one keeps the sound card awake. */
function rest(): void {
  void context?.suspend().catch(() => {})
}

function bufferOf(sound: Sound, { sampleRate, createBuffer }: AudioContext): AudioBuffer {
  const known = buffers.get(sound)
  if (known) return known
  const samples = samplesOf(tones[sound], sampleRate)
  const buffer = createBuffer.call(context, 1, samples.length, sampleRate)
  buffer.copyToChannel(samples, 0)
  buffers.set(sound, buffer)
  return buffer
}
