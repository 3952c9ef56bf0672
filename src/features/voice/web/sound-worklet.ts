import { SOUND } from '#domain/voice/calls.ts'
import { createBacklog, createFramer, createResampler } from './sound.ts'

// Names of an audio worklet's scope, which the types of the page do not have.
declare const sampleRate: number
declare abstract class AudioWorkletProcessor {
  readonly port: MessagePort
}
declare function registerProcessor(name: string, made: new () => AudioWorkletProcessor): void

/** Sends the microphone's sound as frames of the specification. */
class Microphone extends AudioWorkletProcessor {
  readonly #resample = createResampler(sampleRate, SOUND.rate)
  readonly #collect = createFramer(SOUND.frame, (frame) => this.port.postMessage(frame.buffer, [frame.buffer]))

  process([input]: Float32Array[][]): boolean {
    if (input?.[0]) this.#collect(this.#resample(input[0]))
    return true
  }
}

/** Plays received frames. */
class Loudspeaker extends AudioWorkletProcessor {
  readonly #backlog = createBacklog()
  readonly #resample = createResampler(SOUND.rate, sampleRate)
  #ready: Float32Array = new Float32Array()

  constructor() {
    super()
    this.port.onmessage = ({ data }: MessageEvent<ArrayBuffer>) =>
      this.#backlog.push(new Int16Array(data, 0, Math.floor(data.byteLength / 2)))
  }

  process(_: Float32Array[][], [output]: Float32Array[][]): boolean {
    const block = output?.[0]
    if (!block) return true
    while (this.#ready.length < block.length) {
      const read = new Float32Array(Math.ceil((block.length * SOUND.rate) / sampleRate))
      this.#backlog.read(read)
      const made = this.#resample(read)
      const joined = new Float32Array(this.#ready.length + made.length)
      joined.set(this.#ready)
      joined.set(made, this.#ready.length)
      this.#ready = joined
    }
    block.set(this.#ready.subarray(0, block.length))
    this.#ready = this.#ready.slice(block.length)
    return true
  }
}

registerProcessor('microphone', Microphone)
registerProcessor('loudspeaker', Loudspeaker)
