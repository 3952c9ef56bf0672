import type { VoiceConfig } from './port.ts'
import { wavoipConfig } from './wavoip/config.ts'

/** Config of the voice provider. */
export const voiceConfig = wavoipConfig satisfies VoiceConfig
