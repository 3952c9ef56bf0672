import { baileysAdapter } from './baileys/adapter.ts'
import { evolutionAdapter } from './evolution/adapter.ts'
import { hubAdapter } from './hub/adapter.ts'
import { labAdapter } from './lab/adapter.ts'
import { labDeviceAdapter } from './lab-device/adapter.ts'
import { metaAdapter } from './meta/adapter.ts'
import { instagramAdapter, messengerAdapter } from './meta/direct/adapter.ts'
import type { MakeChannelAdapter } from './port.ts'
import { smsAdapter } from './sms/adapter.ts'
import { telegramAdapter } from './telegram/adapter.ts'
import { uazapiAdapter } from './uazapi/adapter.ts'
import { webchatAdapter } from './webchat/adapter.ts'
import { webmailAdapter } from './webmail/adapter.ts'
import type { ReadMail } from './webmail/read-mail.ts'
import { wuzapiAdapter } from './wuzapi/adapter.ts'
import { zapiAdapter } from './zapi/adapter.ts'

/** Factories of channel adapters by channel id, one line each; tests add their own. */
export const channelAdapters: Record<string, MakeChannelAdapter> = {
  baileys: baileysAdapter,
  evolution: evolutionAdapter,
  wuzapi: wuzapiAdapter,
  uazapi: uazapiAdapter,
  zapi: zapiAdapter,
  telegram: telegramAdapter,
  hub: hubAdapter,
  sms: smsAdapter,
  webchat: webchatAdapter,
  lab: labAdapter,
  'lab-device': labDeviceAdapter,
  meta: metaAdapter,
  instagram: instagramAdapter,
  messenger: messengerAdapter,
  webmail: webmailAdapter,
}

/** Reads a mail stored as a file, from any channel; never throws. */
export const readMailFile = async (bytes: Uint8Array): Promise<ReadMail> =>
  (await import('./webmail/read-mail.ts')).readMail(bytes, { receivedAt: 0, own: [] })
