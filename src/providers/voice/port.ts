import type { Duplex } from 'node:stream'
import type { Ending } from '#domain/voice/calls.ts'
import type { ProviderConfig, ProviderValues } from '#kit/provider.ts'

/** Config of a voice provider, as data that the browser may read. */
export type VoiceConfig = ProviderConfig & {
  /** Environment variables that its adapter reads. */
  readonly environment: readonly string[]
}

/** State of a device; `linking` while a phone has yet to scan the code. */
export type DeviceState = 'connecting' | 'linking' | 'open' | 'closed'

/** Signal about the current call of a device. */
export type VoiceSignal =
  | { readonly kind: 'offer'; readonly number: string; readonly name: string; readonly picture: string | null }
  | { readonly kind: 'accept' }
  | { readonly kind: 'end'; readonly why: Ending }

/** Receiver of a device's events. */
export type VoiceEvents = {
  /** State of the device, and the text of the QR code that links it; null without one. */
  readonly state: (state: DeviceState, qrcode: string | null) => void
  readonly signal: (signal: VoiceSignal) => void
  /** Sound of the other side (`SOUND`). */
  readonly sound: (frame: Buffer) => void
}

/** Failed request about a call: refused with the provider's sentence, device busy, or no answer in time. */
export class VoiceFailure extends Error {
  readonly problem: 'refused' | 'busy' | 'late'
  constructor(problem: 'refused' | 'busy' | 'late', message = '') {
    super(message)
    this.problem = problem
  }
}

/** Open device; requests fail with a `VoiceFailure`. A device has at most one call at a time. */
export type VoiceLink = {
  /** Calls digits with country code; returns the picture's address, if it is https. Waits for the answer for `ms`. */
  call(number: string, ms: number): Promise<{ picture: string | null }>
  accept(): Promise<void>
  reject(): Promise<void>
  /** Ends the call; waits for the answer for `ms` (10 s). */
  end(ms?: number): Promise<void>
  mute(isMuted: boolean): Promise<void>
  /** Sends sound; dropped while there is no way for it. */
  send(frame: Buffer): void
  close(): void
}

/** Tools of an adapter; `environment` has the variables that the config names. */
export type VoiceTools = {
  readonly environment: Readonly<Record<string, string | undefined>>
  /** Connects where outbound calls are allowed. */
  readonly connect: (to: { host: string; port: number; tls: boolean }) => Promise<Duplex>
  readonly warn: (error: unknown, what: string) => void
}

/** Opens a device from its settings, with secrets in the clear; it reconnects by itself until it is closed. */
export type OpenVoice = (values: ProviderValues, tools: VoiceTools, events: VoiceEvents) => VoiceLink
