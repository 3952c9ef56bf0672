import { channelAdapters } from '#providers/channels/adapters.ts'
import { baileysAdapter } from '#providers/channels/baileys/adapter.ts'
import { baileysConfig } from '#providers/channels/baileys/config.ts'
import { channelConfigs } from '#providers/channels/configs.ts'

// The linked WhatsApp is tried here until it is offered. Apart from the channels of the tests, of which journeys know nothing:
// a built interface has no screens of theirs.
if (!channelConfigs.includes(baileysConfig)) channelConfigs.push(baileysConfig)
Object.assign(channelAdapters, { baileys: baileysAdapter })
