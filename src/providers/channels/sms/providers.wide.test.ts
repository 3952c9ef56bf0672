import { join } from 'node:path'
import { describe } from 'vitest'
import { openMobile } from '#test/channels/sms-end.ts'
import { channelSuite } from '#test/channels/suite.ts'
import type { ChannelConfig } from '../config.ts'
import { SMS_PROVIDERS, type SmsProviderId, smsConfig } from './config.ts'

// Only providers that return our id can settle a message with a lost response.
const others = (Object.keys(SMS_PROVIDERS) as SmsProviderId[]).filter((id) => id !== 'twilio')
const without: ChannelConfig = { ...smsConfig, capabilities: { ...smsConfig.capabilities, settledWithin: null } }

for (const id of others)
  describe(SMS_PROVIDERS[id], () => channelSuite(without, join(import.meta.dirname, 'recorded', id), openMobile(id)))
