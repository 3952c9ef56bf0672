import type { OpenVoice } from './port.ts'
import { openWavoip } from './wavoip/adapter.ts'

/** Opens a device of the voice provider. */
export const openVoice: OpenVoice = openWavoip
