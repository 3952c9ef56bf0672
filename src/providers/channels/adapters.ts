import { baileysAdapter } from './baileys/adapter.ts'
import { channelConfigs } from './configs.ts'
import { evolutionAdapter } from './evolution/adapter.ts'
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
import { webmailConfig } from './webmail/config.ts'
import { wuzapiAdapter } from './wuzapi/adapter.ts'
import { zapiAdapter } from './zapi/adapter.ts'

/** How the adapters of each kind of channel are made, one line each; tests add their own. */
export const channelAdapters: Record<string, MakeChannelAdapter> = {
  baileys: baileysAdapter,
  evolution: evolutionAdapter,
  wuzapi: wuzapiAdapter,
  uazapi: uazapiAdapter,
  zapi: zapiAdapter,
  telegram: telegramAdapter,
  sms: smsAdapter,
  webchat: webchatAdapter,
  lab: labAdapter,
  'lab-device': labDeviceAdapter,
  meta: metaAdapter,
  instagram: instagramAdapter,
  messenger: messengerAdapter,
  webmail: webmailAdapter,
}

// What is still being built no screen knows.
channelConfigs.push(webmailConfig)
